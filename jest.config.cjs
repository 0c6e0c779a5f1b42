/** The Nest packages and a few below them are ESM only; jest takes CommonJS, so these are transformed. */
const esmPackages = [
  '@nestjs',
  'file-type',
  'strtok3',
  'token-types',
  '@tokenizer',
  '@borewit',
  'uint8array-extras',
  'p-limit',
  'yocto-queue',
];

const shared = {
  testEnvironment: 'node',
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  // Imports name the compiled file ('./x.js'); here the source is loaded.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transformIgnorePatterns: [`/node_modules/(?!(${esmPackages.join('|')})/)`],
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      },
    ],
  },
};

/** Suites with real sockets that touch no database: they run once, with the unit specs. */
const withoutDatabase = 'test/outbound[^/]*\\.e2e-spec\\.ts$';

module.exports = {
  maxWorkers: 3,
  testTimeout: 30_000,
  coverageProvider: 'v8',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testRegex: ['src/.*\\.spec\\.ts$', 'test/[^/]*\\.spec\\.ts$', withoutDatabase],
    },
    {
      ...shared,
      displayName: 'e2e',
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testRegex: 'test/.*\\.e2e-spec\\.ts$',
      testPathIgnorePatterns: ['/node_modules/', withoutDatabase],
      setupFiles: ['<rootDir>/test/support/database-env.ts'],
    },
  ],
};
