import type { ExecutorSignature, InputPort } from '../schemas/registry.ts';

const json = 'application/json';
const html = 'text/html';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const pptx = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

const jsonOrText = [json, 'application/*+json', 'text/*'];
const dataFiles: InputPort = { takes: 'EITHER', mediaTypes: jsonOrText };
const oneOfAnyName = { names: 'FREE' } as const;

/** What each executor takes and gives, by its id. The params of functions are checked by their own code. */
export const signatures: Readonly<Record<string, ExecutorSignature>> = {
  transform: {
    inputs: { names: 'FREE', port: dataFiles, least: 0, most: null },
    outputs: oneOfAnyName,
    params: null,
    readsItem: true,
  },
  validate: {
    inputs: { names: 'FREE', port: dataFiles, least: 1, most: null },
    outputs: oneOfAnyName,
    params: null,
    readsItem: false,
  },
  'extract-text': {
    inputs: {
      names: 'FREE',
      port: { takes: 'ONE', mediaTypes: [docx, pptx] },
      least: 1,
      most: 1,
    },
    outputs: oneOfAnyName,
    params: null,
    readsItem: false,
  },
  merge: {
    inputs: { names: 'FREE', port: dataFiles, least: 1, most: null },
    outputs: oneOfAnyName,
    params: null,
    readsItem: false,
  },
  'term-index': {
    inputs: {
      names: 'FIXED',
      ports: { texts: { takes: 'EITHER', mediaTypes: [json], required: true } },
    },
    outputs: { names: 'FIXED', ports: { index: json } },
    params: {
      type: 'object',
      properties: {
        language: { type: 'string', enum: ['en', 'de', 'none'] },
        top: { type: 'integer', minimum: 1, maximum: 100 },
        stop: {
          type: 'array',
          maxItems: 1000,
          items: { type: 'string', minLength: 1, maxLength: 100 },
        },
      },
      additionalProperties: false,
    },
    readsItem: false,
  },
  'render-digest': {
    inputs: {
      names: 'FIXED',
      ports: { digest: { takes: 'ONE', mediaTypes: [json], required: true } },
    },
    outputs: { names: 'FIXED', ports: { html, docx } },
    params: {
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 200 },
        subtitle: { type: 'string', maxLength: 300 },
        excerpt: { type: 'integer', minimum: 0, maximum: 20 },
        terms: { type: 'integer', minimum: 0, maximum: 100 },
      },
      additionalProperties: false,
    },
    readsItem: false,
  },
};
