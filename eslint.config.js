import tseslint from 'typescript-eslint';

const pure = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Time is an argument here.',
  },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'Time is an argument here.',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Randomness is an argument here.',
  },
  { selector: 'AwaitExpression', message: 'Decisions are synchronous.' },
  {
    selector: "MemberExpression[object.name='process']",
    message: 'The environment is read at the edge.',
  },
  { selector: "CallExpression[callee.name='fetch']", message: 'No I/O in a decision.' },
];

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      'dist',
      'cdk.out',
      '.windlass',
      'out',
      'test/sandbox/probes',
      '**/*.js',
      '**/*.mjs',
      '**/*.cjs',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: false },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/dot-notation': 'off',
      'max-depth': ['error', 3],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['functions/domain/**/*.ts', 'schemas/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...pure] },
  },
  {
    files: [
      'functions/**/*.ts',
      'schemas/**/*.ts',
      'executor-task/**/*.ts',
      'cli/**/*.ts',
      'infra/**/*.ts',
    ],
    rules: {
      'max-lines': ['error', { max: 200, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-depth': ['error', 4],
      'no-console': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
    },
  },
);
