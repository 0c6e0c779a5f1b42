/**
 * Makes an empty migration in the folder of a module, and declares it there.
 *
 *   npm run migration:new -- add-photo --module=incoming-hooks
 *
 * Inside a module's folder its name may be left out.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { Failure, exitBecauseOf, root } from './prepare.mjs';

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

try {
  const { values, positionals } = parseArgs({
    options: { module: { type: 'string' } },
    allowPositionals: true,
  });
  const [name = ''] = positionals;
  if (!NAME.test(name) || positionals.length !== 1)
    throw new Failure('Name the migration in lower case with dashes: npm run migration:new -- add-photo');
  const folder = findModule(values.module ?? path.basename(process.env.INIT_CWD ?? ''));
  console.log(await makeMigration(folder, name, Date.now()));
} catch (error) {
  exitBecauseOf(error);
}

/** The folder that holds `NAME.module.ts`. */
function findModule(name) {
  const file = readdirSync(path.join(root, 'src'), { recursive: true }).find(
    (entry) => path.basename(entry) === `${name}.module.ts`,
  );
  if (file === undefined)
    throw new Failure(`There is no module "${name}" below src: add --module=incoming-hooks, for example.`);
  return path.join(root, 'src', path.dirname(file));
}

async function makeMigration(folder, name, timestamp) {
  const words = name.split('-').map((word) => word[0].toUpperCase() + word.slice(1));
  const className = `${words.join('')}${timestamp}`;
  const base = `${timestamp}-${name}`;
  const file = path.join(folder, 'migrations', `${base}.ts`);
  mkdirSync(path.dirname(file), { recursive: true });
  await write(
    file,
    `import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Say what changes. It may be run again after it was cut short: leave alone what is there already. */
export class ${className} implements MigrationInterface {
  readonly name = '${className}';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }
}
`,
  );
  const moduleFile = readdirSync(folder).find((entry) => entry === `${path.basename(folder)}.module.ts`);
  await declare(path.join(folder, moduleFile), className, `./migrations/${base}.js`);
  return path.relative(root, file);
}

/** Adds the migration to what the module declares. */
async function declare(file, className, from) {
  const before = readFileSync(file, 'utf8');
  let text = before.replace(/(@Declares\(\{[^]*?migrations: \[[^\]]*?),?(\s*\])/, `$1, ${className}$2`);
  if (text === before) text = before.replace('@Declares({', `@Declares({ migrations: [${className}],`);
  if (text === before)
    text = before.replace(/\nexport class/, `\n@Declares({ migrations: [${className}] })\nexport class`);
  const platform = path.relative(path.dirname(file), path.join(root, 'src', 'platform')).split(path.sep);
  const declares = `import { Declares } from '${['.', ...platform].join('/').replace('./..', '..')}/modules/declares.js';\n`;
  const imports = `${text.includes('import { Declares }') ? '' : declares}import { ${className} } from '${from}';\n`;
  await write(file, text.replace(/\n\n/, `\n${imports}\n`));
}

async function write(file, text) {
  writeFileSync(
    file,
    await prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file }),
  );
}
