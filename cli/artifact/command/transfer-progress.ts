import { formatBytes } from '../../output/format-bytes.ts';
import { createProgress } from '../../output/progress.ts';

/** A transfer that is quicker needs no telling. */
const quietMilliseconds = 1_000;

/** Tells on a terminal how far a slow transfer is; elsewhere standard error stays empty. */
export interface TransferProgress {
  update: (bytes: number) => void;
  /** Takes the line away, before anything else is said. */
  stop: () => void;
}

/** @param doing what is done, as `uploading` */
export function startTransferProgress(doing: string, total?: number): TransferProgress {
  const drawable = process.stderr.isTTY && process.env['TERM'] !== 'dumb';
  if (!drawable) return { update: () => undefined, stop: () => undefined };
  const progress = createProgress({ quiet: false });
  let shown = false;
  let text = doing;
  const timer = setTimeout(() => {
    shown = true;
    progress.start(text);
  }, quietMilliseconds).unref();
  return {
    update: (bytes) => {
      const of = total === undefined ? '' : ` of ${formatBytes(total)}`;
      text = `${doing}: ${formatBytes(bytes)}${of}`;
      if (shown) progress.update(text);
    },
    stop: () => {
      clearTimeout(timer);
      progress.stop();
    },
  };
}
