/** For scripts/test-mutation.mjs, which selects the module. */
import { modules } from './modules.mjs';

const name = process.env.MUTATION_MODULE;
const { mutate } = modules[name];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate,
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 1),
  timeoutMS: 10_000,
  ignorePatterns: ['.cache', 'bench', 'data', 'dist*', 'docker', 'docs', 'test/*.ts'],
  tempDirName: '.cache/stryker',
  reporters: ['json'],
  jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  allowConsoleColors: false,
  maxTestRunnerReuse: 100,
};
