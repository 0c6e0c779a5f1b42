/** The unit specs of one module, as Stryker runs them (stryker.config.mjs). */
const unit = require('../../jest.config.cjs').projects.find(({ displayName }) => displayName === 'unit');

const specs = JSON.parse(process.env.MUTATION_SPECS);

module.exports = {
  ...unit,
  rootDir: '../..',
  testEnvironment: require.resolve('./environment.cjs'), // Stryker resolves no <rootDir>
  testRegex: undefined,
  testMatch: specs.map((file) => `<rootDir>/${file}`),
};
