const rule = (name, from, allowed, comment, extra = {}) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { pathNot: allowed, ...extra },
});
const own = (...parts) =>
  parts.map((part) => (part.includes('/') && !part.startsWith('^') ? `^${part}` : part));
const node = (...names) => names.map((name) => `^(node:)?${name}$`);
const pkg = (...names) => names.map((name) => `^node_modules/${name}(/|$)`);

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle hides which of two things rests on the other.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'A module that nobody imports is dead, unless it is an entry.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '^functions/handlers/.+/handler\\.ts$',
          '^(infra/app|cli/main|bench/|build/|test/|executor-task/.+/(courier|supervisor|build-environments))',
          '\\.d\\.ts$',
          'vitest\\.config',
          '^executor-task/environments/.+/tools?/',
          '^schemas/',
        ],
      },
      to: {},
    },
    rule(
      'schemas-stand-alone',
      '^schemas/',
      [
        ...own('schemas/'),
        ...pkg('zod', 'picomatch', '@types/picomatch', 'canonicalize', 'ulid', 'js-yaml'),
        ...node('crypto'),
      ],
      'Values that cross a boundary rest on nothing of ours.',
    ),
    rule(
      'domain-is-pure',
      '^functions/domain/',
      [
        ...own('functions/domain/', 'schemas/', 'functions/ports/'),
        ...pkg('zod'),
        ...node('crypto'),
      ],
      'Decisions know values and nothing else.',
    ),
    {
      name: 'domain-knows-shapes-of-ports-only',
      comment: 'A decision may take the shape of what a port gives, never call into one.',
      severity: 'error',
      from: { path: '^functions/domain/' },
      to: {
        path: '^functions/ports/',
        pathNot: '^functions/ports/errors\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    rule(
      'ports-name-needs',
      '^functions/ports/',
      [...own('functions/ports/', 'schemas/')],
      'A need is said in our own words.',
    ),
    rule(
      'adapters-serve-ports',
      '^functions/adapters/',
      [
        ...own('functions/adapters/', 'functions/ports/', 'schemas/'),
        ...pkg('@aws-sdk', '@smithy', 'ajv', 'ajv-formats', 'ulid', 'zod'),
        ...node(
          'crypto',
          'https',
          'stream',
          'stream/promises',
          'timers/promises',
          'buffer',
          'vm',
          'zlib',
        ),
      ],
      'One service a file; no decisions.',
    ),
    rule(
      'use-cases-take-dependencies',
      '^functions/use-cases/',
      [
        ...own(
          'functions/use-cases/',
          'functions/domain/',
          'functions/ports/',
          'schemas/',
          'functions/executors/built-in-function',
        ),
        ...pkg('zod'),
        ...node('crypto'),
      ],
      'A use case gets what it needs as arguments.',
    ),
    rule(
      'executors-are-controller-code',
      '^functions/executors/',
      [
        ...own('functions/executors/', 'schemas/'),
        ...pkg('zod', 'jsonata', 'ajv', 'ajv-formats', 'mammoth', 'fflate', 'fast-xml-parser'),
        ...node('crypto', 'buffer', 'path', 'util', 'vm', 'zlib'),
      ],
      'Built-in functions may use document libraries, and nothing of the controller.',
    ),
    rule(
      'handlers-are-edges',
      '^functions/(handlers|middleware|dependencies)/',
      [
        ...own('functions/', 'schemas/', 'registry/'),
        ...pkg(
          '@middy',
          '@aws-lambda-powertools',
          '@types/aws-lambda',
          'zod',
          '@aws-sdk',
          '@smithy',
          'js-yaml',
        ),
        ...node('crypto', 'process', 'timers/promises'),
      ],
      'Handlers parse, wire and answer.',
    ),
    {
      name: 'functions-not-executor-task',
      comment: 'The controller and the Fargate program meet only in schemas.',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(executor-task|cli|infra|test|bench)/' },
    },
    {
      name: 'executor-task-alone',
      comment: 'The Fargate program rests on schemas and itself.',
      severity: 'error',
      from: { path: '^executor-task/' },
      to: { path: '^(functions|cli|infra|test|bench)/' },
    },
    {
      name: 'cli-thin',
      comment: 'The CLI is a shell over schemas and the HTTPS API.',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^(functions|executor-task|infra|test|bench)/' },
    },
    {
      name: 'infra-by-path',
      comment: 'Infrastructure takes names from schemas and entries by path.',
      severity: 'error',
      from: { path: '^infra/' },
      to: { path: '^(functions|executor-task|cli|test|bench)/' },
    },
    {
      name: 'nothing-imports-test',
      comment: 'Tests look at the product, never the other way.',
      severity: 'error',
      from: { pathNot: '^(test|bench|vitest)' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|cdk\\.out|\\.windlass|out)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
