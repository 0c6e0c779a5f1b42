const path = require('node:path');
const { useScratchFolder } = require('./test/jest/scratch.cjs');
const { options } = require('./scripts/typescript.cjs');

useScratchFolder();

const shared = {
  roots: ['<rootDir>/src', '<rootDir>/test'],
  cacheDirectory: path.join(__dirname, '.cache', 'jest'),
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  runtime: '<rootDir>/test/jest/runtime.cjs',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  transform: { '\\.ts$': ['@swc/jest', { ...options, sourceMaps: 'inline' }] },
};

/** Suites with real sockets that touch no database: they run once, with the unit specs. */
const withoutDatabase = 'test/outbound[^/]*\\.e2e-spec\\.ts$';
/** Suites that run on SQLite only: what they ask of the database is asked by others, on both. */
const onOneDatabase = [
  'access', // the declarations of all routes, read from the controllers
  'access-permissions', // what each permission is for
  'access-statuses', // the table of statuses, made by calling every route as every kind of caller
  'access-refused', // the same declarations, each with a caller who lacks the right
  'api-docs', // the document that describes the API, made of the same declarations
].map((name) => `test/${name}\\.e2e-spec\\.ts$`);
/** Suites that make their own processes or instances: they are the same on three instances. */
const ofOneProcess = [
  ...[
    'account-commands',
    'backup',
    'bootstrap',
    'crash',
    'database',
    'database-faults',
    'faults',
    'handshake-crash',
  ],
  ...[
    'installation',
    'key-rotation',
    'lanes',
    'live-scaled',
    'outage',
    'owner-lock',
    'plans',
    'posts-order',
    'races',
  ],
  ...['shared-changes', 'upgrade', 'workers'],
].map((name) => `test/${name}\.e2e-spec\.ts$`);
const endToEnd = {
  ...shared,
  testRegex: 'test/.*\\.e2e-spec\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', withoutDatabase],
};

module.exports = {
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/jest/sequencer.cjs',
  testTimeout: 30_000,
  coverageProvider: 'v8',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testRegex: ['src/.*\\.spec\\.ts$', 'test/[^/]*\\.spec\\.ts$', withoutDatabase],
    },
    // On SQLite, or on what TEST_DATABASE names.
    {
      ...endToEnd,
      displayName: 'e2e',
      testEnvironmentOptions: { database: process.env.TEST_DATABASE === 'mysql' ? 'mysql' : 'sqlite' },
    },
    {
      ...endToEnd,
      displayName: 'mysql',
      testPathIgnorePatterns: [...endToEnd.testPathIgnorePatterns, ...onOneDatabase],
      testEnvironmentOptions: { database: 'mysql' },
    },
    // Three instances of the server on one database, which answer in turn.
    {
      ...endToEnd,
      displayName: 'scaled',
      testPathIgnorePatterns: [...endToEnd.testPathIgnorePatterns, ...onOneDatabase, ...ofOneProcess],
      testEnvironmentOptions: { database: 'mysql', instances: 3 },
    },
  ],
};
