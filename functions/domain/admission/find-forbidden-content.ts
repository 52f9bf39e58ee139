import { findActiveContent } from './find-active-content.ts';
import { findSecrets } from './find-secrets.ts';

/** What no output may hold, as words for a verdict: secrets, and content that runs by itself (E36). */
export function findForbiddenContent(mediaType: string, text: string): string[] {
  return [...findSecrets(text), ...findActiveContent(mediaType, text)];
}

/** Whether its bytes are characters that a check can read. */
export function isText(mediaType: string): boolean {
  return (
    mediaType.startsWith('text/') ||
    /[/+](?:json|xml|yaml)$/.test(mediaType) ||
    ['application/javascript', 'application/x-yaml', 'application/jsonl'].includes(mediaType)
  );
}
