/** `npm run bench`: measures speed and memory on both databases; see `npm run bench -- --help`. */
import { parseArgs } from 'node:util';
import { exitBecauseOf } from '../scripts/prepare.mjs';
import { usage } from './usage.mjs';

const { values: options, positionals: files } = readArguments({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    database: { type: 'string', default: 'sqlite,mysql' },
    scenario: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    smoke: { type: 'boolean', default: false },
    target: { type: 'string' },
    login: { type: 'string', default: 'admin' },
    password: { type: 'string' },
    token: { type: 'string' },
    json: { type: 'string' },
    compare: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(usage);
else await bench().catch(exitBecauseOf);

/** Imports modules on demand, so that `--help` needs none of them. */
async function bench() {
  const { readResults, writeResults } = await import('./results.mjs');
  if (options.compare) {
    const { printComparison } = await import('./compare.mjs');
    return printComparison(...files.map(readResults));
  }
  if (options.markdown) {
    const { printPage } = await import('./page.mjs');
    return printPage(files.map(readResults));
  }
  const { benchOwn, benchTarget } = await import('./run.mjs');
  const results = await (options.target ? benchTarget(options) : benchOwn(options));
  if (options.json) writeResults(options.json, results);
}

/** Shows the usage if an option is unknown or lacks its value. */
function readArguments(known) {
  try {
    return parseArgs(known);
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
