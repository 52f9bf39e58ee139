import type { DocumentWords } from './explain-issues.ts';

const forms = new Map([
  ['key', 'the key of an uploaded file, which begins with uploads/BOARD/'],
  ['version_id', 'the version of the uploaded file, as S3 names it'],
  ['media_type', 'a media type such as "text/plain", in lower case and without parameters'],
  ['filename', 'a plain file name, such as "report.docx"'],
]);

/** How faults in the form of a run's files are told. */
export const inputsWords: DocumentWords = {
  subject: 'the inputs',
  fields: [...forms.keys()],
  describe: (path) => forms.get(String(path.at(-1))),
  explain: (path, value) =>
    typeof value !== 'string' || forms.has(String(path.at(-1)))
      ? undefined
      : {
          code: 'BAD_VALUE',
          message: `${String(path.at(-1))} is not an artifact reference`,
          fix: 'Write kanban-artifact:v1:BOARD:TASK:ATTACHMENT_ID:SHA256 as a listing shows it, or the key of an uploaded file.',
        },
};
