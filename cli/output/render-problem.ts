import { cleanText } from './clean-text.ts';
import type { Fault, Problem } from '../../schemas/problem.ts';

/** A fault as one line: where, what is wrong, what was there, and how to mend it. */
function renderFault(fault: Fault): string {
  const where = fault.path === '' ? '(the document)' : fault.path;
  const was = fault.value === '' ? '' : ` (was: ${fault.value})`;
  const fix = fault.fix === '' ? '' : ` → ${fault.fix}`;
  return cleanText(`${where}: ${fault.message}${was}${fix}`);
}

/**
 * A problem document as lines: what happened, then each fault. The title only names the kind of the detail, so it stands in
 * where there is none. https://www.rfc-editor.org/rfc/rfc9457
 */
export function renderProblemText(problem: Problem): string {
  const lines = [cleanText(problem.detail === '' ? problem.title : problem.detail)];
  for (const fault of problem.faults ?? []) lines.push(`  ${renderFault(fault)}`);
  const leftOut = problem.faults_left_out ?? 0;
  if (leftOut > 0) lines.push(`  … and ${String(leftOut)} more`);
  return lines.join('\n');
}
