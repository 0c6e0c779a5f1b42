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

const suite = (name) => `test/${name}\\.e2e-spec\\.ts$`;

/** Suites with real sockets that touch no database: they run once, with the unit specs. */
const withoutDatabase = 'test/outbound[^/]*\\.e2e-spec\\.ts$';
/** Suites that run on SQLite only: what they ask of the database is asked by others, on both. */
const onOneDatabase = [
  'access', // the declarations of all routes, read from the controllers
  'access-permissions', // what each permission is for
  'access-refused', // the same declarations, each with a caller who lacks the right
  'api-docs', // the document that describes the API, made of the same declarations
].map(suite);
/** Suites that run apart on both databases: what calls every route with bad input, and what starts and kills servers. */
const apartOnBoth = [
  'bad-input',
  'bootstrap',
  'crash',
  'handshake-crash',
  'import-interrupted',
  'import-refusals',
  'import-server',
  'import-traps',
  'installation',
  'key-rotation',
  'owner-lock',
  'upgrade',
].map(suite);
/** All that run apart: what measures, what runs others, and what calls every route as everybody as well. */
const apart = [
  ...['linear-cost', 'example-module'].map((name) => `test/${name}\\.spec\\.ts$`),
  suite('access-statuses'),
  ...apartOnBoth,
];
/** Suites that make several processes or instances of their own. */
const ofSeveralProcesses = [
  'commit-order',
  'failure-messages-scaled',
  'faults',
  'job-queue',
  'lanes',
  'late-changes',
  'live-scaled',
  'lost-changes',
  'lost-commits',
  'outgoing-pace-scaled',
  'races',
  'workers',
].map(suite);
/**
 * Suites of MySQL that run on three instances as well: those in which it may matter which instance answers. It does not to
 * plain validation, order and plans of queries, commands, starts, crashes, upgrades and backups; traces are those of one
 * process. Other suites of pings and handshakes take too long.
 */
const onThreeInstances = [
  'audit',
  'auth',
  'bots',
  'channels',
  'delivery-stats',
  'execution',
  'failure-messages',
  'hook-deletion',
  'hook-limits',
  'hook-poster',
  'incoming-hooks',
  'kept-requests',
  'live',
  'local-mode',
  'outgoing-all-deliveries',
  'outgoing-endpoints',
  'outgoing-delivery',
  'outgoing-dispatch',
  'outgoing-events',
  'outgoing-explain',
  'outgoing-fan-out',
  'outgoing-hooks',
  'outgoing-pausing',
  'outgoing-pull',
  'outgoing-races',
  'outgoing-request-headers',
  'outgoing-retries',
  'outgoing-settling',
  'own-addresses',
  'peer-messages',
  'posts',
  'posts-commit',
  'posts-lists',
  'posts-search',
  'posts-system-messages',
  'remote-cluster-check',
  'remote-cluster-peers',
  'remote-cluster-presence',
  'remote-clusters',
  'retention',
  'shared-channels',
  'shared-channels-lag',
  'shared-channels-sync',
  'system',
  'teams',
].map(suite);
const endToEnd = {
  ...shared,
  testRegex: 'test/.*\\.e2e-spec\\.ts$',
  testPathIgnorePatterns: ['/node_modules/', withoutDatabase, ...ofSeveralProcesses, ...apart],
};

module.exports = {
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/jest/sequencer.cjs',
  testTimeout: 60_000,
  coverageProvider: 'v8',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testRegex: ['src/.*\\.spec\\.ts$', 'test/[^/]*\\.spec\\.ts$', withoutDatabase],
      testPathIgnorePatterns: ['/node_modules/', ...apart],
    },
    { ...shared, displayName: 'apart', testRegex: apart, testEnvironmentOptions: { database: 'sqlite' } },
    {
      ...shared,
      displayName: 'apart-mysql',
      testRegex: apartOnBoth,
      testEnvironmentOptions: { database: 'mysql' },
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
    // Several processes or instances on one database. Without a choice of their own, suites get three, which answer in turn.
    {
      ...shared,
      displayName: 'scaled',
      testRegex: [...ofSeveralProcesses, ...onThreeInstances],
      testEnvironmentOptions: { database: 'mysql', instances: 3 },
    },
  ],
};
