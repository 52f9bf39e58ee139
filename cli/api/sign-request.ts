import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import type { CredentialSource } from '../stack/resolve-credentials.ts';

interface SignableRequest {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
}

/** Adds Signature Version 4 for `execute-api`. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
export type SignRequest = (request: SignableRequest) => Promise<Record<string, string>>;

export function createSigner(region: string, credentials: CredentialSource): SignRequest {
  const signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
  return async ({ method, url, headers, body }) => {
    const signed = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      ...(url.port !== '' && { port: Number(url.port) }),
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers, host: url.host },
      body,
    });
    return signed.headers;
  };
}
