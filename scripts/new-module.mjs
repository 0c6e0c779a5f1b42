/**
 * Makes a module in the house style: records of a team, with routes, permission, setting, event, migration and tests.
 *
 *   npm run new:module -- hook-schedules
 *   npm run new:module -- movies --singular=movie        where the last word has an irregular plural
 *
 * The files come from scripts/templates/module, which is written as a module called "sample-gizmos".
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { KEBAB_CASE, makeMigration, pascalCase, writeFormatted } from './migration-file.mjs';
import { Failure, exitBecauseOf, root } from './prepare.mjs';

const TEMPLATES = path.join(root, 'scripts', 'templates', 'module');
const APP_MODULE = path.join(root, 'src', 'app.module.ts');
/** The permission `manage_…` has at most 64 characters. */
const MAX_LENGTH = 40;
/** Words that cannot name a variable here: those of the language, and what the templates call other things. */
const TAKEN = new Set(
  (
    'break case catch class const continue debugger default delete do else enum export extends false finally for function ' +
    'if import in instanceof new null return super switch this throw true try typeof var void while with yield let static ' +
    'await package private protected public interface implements arguments eval actor input page id now change clock events ' +
    'fields list manager member method name named offset policy read repository runner send server settings stranger teams valid'
  ).split(' '),
);

try {
  const { values, positionals } = parseArgs({
    options: { singular: { type: 'string' } },
    allowPositionals: true,
  });
  const [plural = ''] = positionals;
  if (!KEBAB_CASE.test(plural) || positionals.length !== 1)
    throw new Failure('Name the module in lower case with dashes: npm run new:module -- hook-schedules');
  await makeModule(plural, values.singular ?? singularOf(plural));
} catch (error) {
  exitBecauseOf(error.code?.startsWith('ERR_PARSE_ARGS') ? new Failure(error.message) : error);
}

async function makeModule(plural, singular) {
  requireUsable(plural, singular);
  const rename = renaming(plural, singular);
  const files = readdirSync(TEMPLATES, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({
      name: rename(name),
      text: rename(readFileSync(path.join(TEMPLATES, name), 'utf8')),
    }));
  requireNew(files);
  const isMigration = ({ name }) => path.basename(path.dirname(name)) === 'migrations';
  for (const { name, text } of files.filter((file) => !isMigration(file)))
    await writeFormatted(path.join(root, name), text);
  const folder = path.join(root, 'src', plural);
  for (const { name, text } of files.filter(isMigration)) {
    const migration = path.basename(name, '.ts');
    await makeMigration(folder, migration, (className) => text.replaceAll(pascalCase(migration), className));
  }
  await addToApp(plural);
  console.log(`src/${plural} is made, with its tests; src/app.module.ts has it in the list of modules.
docs/extending.md says what to do with it. Bring up to date and read the difference:

  npm test -- access -u                    the table of routes
  node scripts/event-table.mjs --write     the table of events

Then: npm run lint, npm run typecheck, npm run schema:check, npm test -- ${plural}`);
}

/** `hook-schedules` as `hook-schedule`. */
function singularOf(plural) {
  const rules = [
    [/ies$/, 'y'],
    [/(ss|x|ch|sh)es$/, '$1'],
    [/(?<=[^s])s$/, ''],
  ];
  const rule = rules.find(([ending]) => ending.test(plural));
  if (!rule)
    throw new Failure(`Name the module in the plural, or say what one is called: ${plural} --singular=…`);
  return plural.replace(...rule);
}

function requireUsable(plural, singular) {
  if (!KEBAB_CASE.test(singular) || singular === plural)
    throw new Failure(
      `One of ${plural} needs a name of its own in lower case with dashes: --singular=movie, for example.`,
    );
  const taken = [plural, singular].find((name) => TAKEN.has(variableOf(name)));
  if (taken) throw new Failure(`"${taken}" means something else in the code: choose another name.`);
  if (plural.length > MAX_LENGTH) throw new Failure(`The name may have ${MAX_LENGTH} characters at most.`);
}

/** Throws when a file, class, table or route of the new module is there already. */
function requireNew(files) {
  const file = files.find(({ name }) => existsSync(path.join(root, name)));
  if (file) throw new Failure(`${file.name} is there already: choose another name.`);
  const declaration = /^export class \w+|@(?:Entity|Controller)\('\w+'\)/gm;
  const ours = new Set(files.flatMap(({ text }) => text.match(declaration) ?? []));
  for (const entry of readdirSync(path.join(root, 'src'), { recursive: true })) {
    if (!entry.endsWith('.ts')) continue;
    const text = readFileSync(path.join(root, 'src', entry), 'utf8');
    const clash = text.match(declaration)?.find((declared) => ours.has(declared));
    if (clash) throw new Failure(`src/${entry} has "${clash}" already: choose another name.`);
  }
}

/** Puts the names of a module where a text has those of the sample. */
function renaming(plural, singular) {
  const words = (name) => name.replaceAll('-', ' ');
  const snake = (name) => name.replaceAll('-', '_');
  const sentence = (text) => text[0].toUpperCase() + text.slice(1);
  const article = /^[aeiou]/.test(singular) ? 'an' : 'a';
  const names = [
    ['sample-gizmos', plural],
    ['sample-gizmo', singular],
    ['sample_gizmos', snake(plural)],
    ['sample_gizmo', snake(singular)],
    ['SAMPLE_GIZMOS', snake(plural).toUpperCase()],
    ['SampleGizmos', pascalCase(plural)],
    ['SampleGizmo', pascalCase(singular)],
    ['sampleGizmos', camelCase(plural)],
    ['sampleGizmo', camelCase(singular)],
    ['A sample gizmo', `${sentence(article)} ${words(singular)}`],
    ['a sample gizmo', `${article} ${words(singular)}`],
    ['Sample gizmos', sentence(words(plural))],
    ['sample gizmos', words(plural)],
    ['sample gizmo', words(singular)],
    ['gizmos', variableOf(plural)],
    ['gizmo', variableOf(singular)],
  ];
  const samples = new RegExp(names.map(([sample]) => sample).join('|'), 'g');
  const replacements = new Map(names);
  return (text) => text.replace(samples, (sample) => replacements.get(sample));
}

/** What the code calls it for short: `hook-schedule` is a `schedule`. */
function variableOf(name) {
  const last = name.split('-').at(-1);
  if (!TAKEN.has(last) && /^[a-z]/.test(last)) return last;
  return camelCase(name);
}

function camelCase(name) {
  return pascalCase(name).replace(/^./, (letter) => letter.toLowerCase());
}

/** One line in the list of modules, before the one that starts what they bring, and its import. */
async function addToApp(plural) {
  const className = `${pascalCase(plural)}Module`;
  const from = `./${plural}/${plural}.module.js`;
  const lines = readFileSync(APP_MODULE, 'utf8').split('\n');
  const imported = lines.findIndex((line) => (/ from '(\.\/.*)';$/.exec(line)?.[1] ?? '') > from);
  lines.splice(imported, 0, `import { ${className} } from '${from}';`);
  const listed = lines.findIndex((line) => line.trim() === 'BootstrapModule,');
  if (imported < 0 || listed < 0) throw new Failure(`Add ${className} to the list in src/app.module.ts.`);
  lines.splice(listed, 0, `    ${className},`);
  await writeFormatted(APP_MODULE, lines.join('\n'));
}
