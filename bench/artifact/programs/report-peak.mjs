// Preloaded: writes how much memory this process held at most. Not by getrusage, whose peak is inherited from who
// started the process. https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => {
  const peak = /^VmHWM:\s+([0-9]+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
  writeFileSync(process.env.PEAK_FILE, peak?.[1] ?? '');
});
