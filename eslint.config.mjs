import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import boundaries from 'eslint-plugin-boundaries';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Modules of src. Each may import those above; modules of one row do not import each other. */
const order = [
  ['platform/common'],
  ['platform/config'],
  ['platform/access'],
  ['platform/modules'],
  ['platform/secrets'],
  ['platform/logging'],
  ['platform/database'],
  ['platform/scaling'],
  ['platform/events'],
  ['platform/audit', 'platform/metrics', 'platform/tracing'],
  ['platform/health', 'platform/local-mode'],
  ['messaging/permissions'],
  ['messaging/users'],
  ['messaging/auth'],
  ['messaging/teams'],
  ['messaging/owners'],
  ['messaging/channels'],
  ['messaging/posts'],
  ['messaging/live'],
  ['messaging/system'],
  ['delivery/outbound'],
  ['delivery/dispatch'],
  ['incoming-hooks', 'outgoing-hooks', 'remote-cluster'],
  ['shared-channels'],
];
const modules = order.flat();
const module = (type) => ({ element: { type } });
const file = (categories) => ({ file: { categories } });

/** Files that use TypeORM. platform/modules collects the entities and migrations of all modules. */
const persistence = [
  'src/**/*.{repository,read-model,entity}.ts',
  'src/platform/{database,modules}/**',
  'src/**/migrations/*.ts',
];

/** Repositories with raw SQL. Do not add one: use TypeORM's methods or a read model. */
const rawSql = [
  'src/delivery/dispatch/outcomes.repository.ts',
  'src/incoming-hooks/kept-requests/kept-requests.repository.ts',
  'src/messaging/permissions/roles.repository.ts',
  'src/messaging/posts/writer/post-rows.repository.ts',
  'src/startup/import/target.repository.ts',
];

const readsEnvironment = {
  object: 'process',
  property: 'env',
  message: 'Only src/platform/config reads the environment.',
};
const takesManager = {
  property: 'manager',
  message: 'TypeORM stays behind repositories, read models and src/platform/database.',
};
const writes = 'A read model writes nothing.';

export default defineConfig(
  { ignores: ['dist/', 'dist.*/', 'data/', 'coverage/', '.cache/', 'docs/example-module/'] },
  eslint.configs.recommended,
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    extends: [tseslint.configs.recommendedTypeCheckedOnly],
    rules: {
      '@typescript-eslint/prefer-readonly': 'error',
      // A function declared async answers with a rejection, never with a throw, also when it awaits nothing.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'console/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts'],
    rules: { 'max-lines': ['error', 300] },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { boundaries },
    settings: {
      'import/resolver': { typescript: true },
      'boundaries/include': ['src/**', 'test/**', 'bench/**', 'scripts/**', '*.ts'],
      'boundaries/elements': [
        ...modules.map((type) => ({ type, pattern: `src/${type}`, partialMatch: false })),
        { type: 'startup', pattern: 'src/startup', partialMatch: false },
        { type: 'feature', pattern: 'src/!(platform|messaging|delivery)', partialMatch: false },
      ],
      'boundaries/files': [
        { category: 'source', pattern: 'src/**' },
        { category: 'assembly', pattern: ['src/*.ts', 'src/{platform,messaging}/*.module.ts'] },
        { category: 'spec', pattern: 'src/**/*.spec.ts' },
        { category: 'repository', pattern: 'src/**/*.repository.ts' },
        { category: 'entity', pattern: 'src/**/*.entity.ts' },
        { category: 'read-model', pattern: 'src/**/*.read-model.ts' },
        ...persistence.map((pattern) => ({ category: 'persistence', pattern })),
      ],
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          checkAllOrigins: true,
          checkUnknownLocals: true,
          message: 'This import goes against the order of the modules in eslint.config.mjs.',
          policies: [
            { from: file('assembly'), allow: { to: { file: { path: '**' } } } },
            { from: file('spec'), allow: { to: { element: { isUnknown: true } } } },
            { allow: { to: { module: { origin: ['external', 'core'] } } } },
            { from: module('startup'), allow: { to: file('assembly') } },
            { from: module(['startup', 'feature']), allow: { to: module(modules) } },
            ...order.map((row, index) => ({
              from: module(row),
              allow: { to: module(order.slice(0, index).flat()) },
            })),
            // `delivery` must work without the messaging server.
            { from: module('delivery/*'), disallow: { to: module('messaging/*') } },
            {
              disallow: { to: file('repository') },
              message: 'A repository stays in its module: use the service.',
            },
            {
              from: file({ noneOf: ['entity', 'read-model', 'spec', 'assembly'] }),
              disallow: { to: file('entity'), dependency: { kind: 'value' } },
              message: 'Import the type of an entity of another module only, and ask its service for rows.',
            },
            {
              from: file({ noneOf: ['persistence'] }),
              disallow: { to: { module: { source: ['typeorm', '@nestjs/typeorm'] } } },
              message: takesManager.message,
            },
          ],
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: '@nestjs/common', importNames: ['forwardRef'], message: 'Modules form no circles.' },
            ...['process', 'node:process'].map((name) => ({
              name,
              importNames: ['env'],
              message: 'Only src/platform/config reads the environment.',
            })),
          ],
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/config/**', '**/*.spec.ts', ...persistence],
    rules: { 'no-restricted-properties': ['error', readsEnvironment, takesManager] },
  },
  {
    files: ['src/platform/config/**', 'src/**/*.spec.ts'],
    ignores: persistence,
    rules: { 'no-restricted-properties': ['error', takesManager] },
  },
  { files: persistence, rules: { 'no-restricted-properties': ['error', readsEnvironment] } },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/platform/database/periodic-task.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'setInterval',
          message: 'Work that repeats is a PeriodicTask: one run at a time, a stop that waits.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.repository.ts'],
    ignores: ['src/platform/database/**', ...rawSql],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.property.name="query"]',
          message: 'Raw SQL belongs to read models, migrations and src/platform/database.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.read-model.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(Literal[value=/(INTO|UPDATE|DELETE)\\s/], TemplateElement[value.raw=/(INTO|UPDATE|DELETE)\\s/])',
          message: writes,
        },
        {
          selector:
            'CallExpression[callee.property.name=/^(insert|update|upsert|save|delete|remove|softDelete)$/]',
          message: writes,
        },
      ],
    },
  },
  {
    files: ['src/**/*.controller.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'IfStatement',
          message: 'A controller makes one call; decide in the service, the policy or the request class.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  prettier,
);
