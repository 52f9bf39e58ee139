import { z } from 'zod';
import type { BuiltInFunction, FunctionCall, FunctionResult } from '../built-in-function.ts';
import { listParamFaults, parseParams } from '../check-params.ts';
import { FunctionFailure, runToResult } from '../function-failure.ts';
import { listInputs } from '../parse-input.ts';
import { renderOutput } from '../render-output.ts';
import type { Extraction } from './extraction.ts';
import { openOfficePackage } from './open-office-package.ts';
import { readDocx } from './read-docx.ts';
import { readPptx } from './read-pptx.ts';

const paramsSchema = z.strictObject({});

const ooxml = 'application/vnd.openxmlformats-officedocument';
const docxMediaType = `${ooxml}.wordprocessingml.document`;
const pptxMediaType = `${ooxml}.presentationml.presentation`;

/** Reads the one input, a DOCX or PPTX by its declared media type, into an `Extraction`. */
export const extractText: BuiltInFunction = {
  operation: 'extract-text',
  version: '1.0.0',
  checkParams: (params) => listParamFaults(paramsSchema, params),
  run: (call) => runToResult(() => extractFromCall(call)),
};

async function extractFromCall(call: FunctionCall): Promise<FunctionResult> {
  parseParams(paramsSchema, call.params);
  const [input, ...others] = listInputs(call).flatMap(({ entries }) => entries);
  if (input === undefined || others.length > 0) {
    throw new FunctionFailure(
      'INPUT_INVALID',
      `extract-text reads one document; ${String(others.length + (input ? 1 : 0))} are bound (use for_each for many)`,
    );
  }
  return renderOutput('extract-text', call, await extract(input.mediaType, input.bytes));
}

async function extract(mediaType: string, bytes: Uint8Array): Promise<Extraction> {
  switch (mediaType) {
    case docxMediaType:
      return await readDocx(openOfficePackage(bytes));
    case pptxMediaType:
      return readPptx(openOfficePackage(bytes));
    default:
      throw new FunctionFailure(
        'INPUT_INVALID',
        `a document of type ${mediaType} cannot be read; give a DOCX or PPTX and declare its media type`,
      );
  }
}
