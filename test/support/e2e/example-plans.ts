const json = 'application/json';

const budget = { COMPUTE_COST: '1 USD', ATTEMPTS: 200, WALL_SECONDS: 36_000 };

type Plan = Record<string, unknown>;

/** One function: it greets. */
export function composeGreeting(text = 'hello'): Plan {
  return {
    windlass: 1,
    name: 'greeting',
    budget,
    nodes: [
      {
        id: 'greet',
        operation: 'transform',
        gives: { text: 'text/plain' },
        params: { expression: JSON.stringify(text) },
      },
    ],
  };
}

/** Functions, each after the one before. */
export function composeChain(length: number): Plan {
  const nodes = Array.from({ length }, (_, index) => ({
    id: `step-${String(index)}`,
    operation: 'transform',
    ...(index === 0 ? {} : { takes: { before: `step-${String(index - 1)}.out` } }),
    gives: { out: json },
    params: { expression: index === 0 ? '{"n": 0}' : '{"n": inputs.before.n + 1}' },
  }));
  return { windlass: 1, name: 'chain', budget, nodes };
}

/** Functions that need nothing, all of one expression. */
function composeIndependent(count: number, parallelism: number, expression: string): Plan {
  return {
    windlass: 1,
    name: 'wide',
    budget: { COMPUTE_COST: '100 USD', ATTEMPTS: 100_000, WALL_SECONDS: 100_000_000 },
    policy: { parallelism },
    nodes: [
      {
        id: 'each',
        operation: 'transform',
        for_each: Array.from({ length: count }, (_, index) => index),
        gives: { out: json },
        params: { expression },
      },
    ],
  };
}

/** Many functions that need nothing and are done at once. */
export function composeWide(count: number, parallelism = 2): Plan {
  return composeIndependent(count, parallelism, '{"ok": true}');
}

/** Functions that need nothing and compute for a sixth of a second each, so that a test can meet them at work. */
export function composeSlow(count: number): Plan {
  return composeIndependent(count, count, '{"sum": $sum([1..60000].($ * 2 + 1))}');
}

/** A tool in a Fargate task between two functions: write a text, index it, count its terms. */
export function composeIndexing(): Plan {
  return {
    windlass: 1,
    name: 'indexing',
    budget,
    policy: { max_attempts: 3 },
    nodes: [
      {
        id: 'write',
        operation: 'transform',
        gives: { text: json },
        params: {
          expression:
            '{"title": "Winches", "format": "docx", "headings": [], "words": 3, "text": "winches lift anchors"}',
        },
      },
      {
        id: 'index',
        operation: 'term-index',
        takes: { texts: 'write.text' },
        gives: { index: json },
      },
      {
        id: 'count',
        operation: 'transform',
        takes: { index: 'index.index' },
        gives: { total: json },
        params: { expression: '{"terms": inputs.index.totals.terms}' },
      },
    ],
  };
}

/** One tool over a text that is handed in, so that the tool takes as long as the text is large. */
export function composeLongIndexing(): Plan {
  return {
    windlass: 1,
    name: 'long-indexing',
    budget,
    policy: { max_attempts: 3 },
    inputs: { texts: { kind: 'file', media_types: [json] } },
    nodes: [
      {
        id: 'index',
        operation: 'term-index',
        takes: { texts: 'inputs.texts' },
        gives: { index: json },
      },
    ],
  };
}

/** An extracted text of about so many bytes, in many paragraphs. */
export function composeLargeText(bytes: number): string {
  const line = 'The harbour winch lifts anchors while the crew watches every rope and drum. ';
  const text = `${line.repeat(12)}\n`.repeat(Math.ceil(bytes / (line.length * 12)));
  return JSON.stringify({ title: 'Large', format: 'docx', headings: [], words: 1, text });
}
