/**
 * Generates the tables of docs/settings.md from the classes that read the settings. `npm run docs:settings` writes them; without
 * `--write` it checks whether they are up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { unformatted } from './generated-table.mjs';
import { root } from './prepare.mjs';

const require = createRequire(import.meta.url);
const PAGE = path.join(root, 'docs', 'settings.md');
const TABLE = /(<!-- settings: (.+) -->\n)[^]*?(?=<!-- end of settings -->)/g;
const HEADER = ['Variable', 'Values', 'Default', 'Meaning'];

process.env.DATABASE_URL = ''; // column types follow it
require('./typescript.cjs').install();
const { readSettings } = require('../src/app.settings.ts');

const all = readSettings({});
const settings = all.described();
const written = new Set();
const expected = readFileSync(PAGE, 'utf8').replace(TABLE, (_, start, section) => {
  const rows = settings.filter((setting) => setting.section === section);
  for (const { name } of rows) written.add(name);
  return start + unformatted(tableOf(rows));
});

const lost = [...all.names].filter((name) => !written.has(name));
if (lost.length > 0)
  fail(`No section of docs/settings.md has ${lost.join(', ')}: say more in "about" of its class.`);
else if (process.argv.includes('--write')) writeFileSync(PAGE, expected);
else if (expected !== readFileSync(PAGE, 'utf8'))
  fail('docs/settings.md is out of date: npm run docs:settings');

function tableOf(rows) {
  const cells = rows.map(({ name, values, fallback, meaning }) => {
    return [`\`${name}\``, values, fallback && `\`${fallback}\``, meaning];
  });
  return [HEADER, HEADER.map(() => '---'), ...cells];
}

function fail(reason) {
  console.error(reason);
  process.exitCode = 1;
}
