/**
 * Makes an empty migration in the folder of a module, and declares it there.
 *
 *   npm run migration:new -- add-photo --module=incoming-hooks
 *
 * Inside a module's folder, `--module` can be omitted.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import prettier from 'prettier';
import { findModule } from './module-folder.mjs';
import { Failure, exitBecauseOf, root } from './prepare.mjs';

const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

try {
  const { values, positionals } = parseArgs({
    options: { module: { type: 'string' } },
    allowPositionals: true,
  });
  const [name = ''] = positionals;
  if (!KEBAB_CASE.test(name) || positionals.length !== 1)
    throw new Failure('Name the migration in lower case with dashes: npm run migration:new -- add-photo');
  const folder = findModule(values.module ?? path.basename(process.env.INIT_CWD ?? ''));
  const base = `${Date.now()}-${name}`;
  const className = base.replace(/^(\d+)-(.*)$/, (_, time, words) => pascalCase(words) + time);
  const file = path.join(folder, 'migrations', `${base}.ts`);
  await writeFormatted(file, emptyMigration(className));
  await declare(
    path.join(folder, `${path.basename(folder)}.module.ts`),
    className,
    `./migrations/${base}.js`,
  );
  console.log(path.relative(root, file));
} catch (error) {
  exitBecauseOf(error);
}

function pascalCase(name) {
  return name.replace(/(?:^|-)(.)/g, (_, letter) => letter.toUpperCase());
}

/** Writes a file in the format of `npm run format`. */
async function writeFormatted(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  const options = { ...(await prettier.resolveConfig(file)), filepath: file };
  writeFileSync(file, await prettier.format(text, options));
}

function emptyMigration(className) {
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Describe the change. An interrupted migration runs again, so skip what already exists. */
export class ${className} implements MigrationInterface {
  readonly name = '${className}';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('SELECT 1');
  }
}
`;
}

/** Adds the migration to the module declaration. */
async function declare(file, className, from) {
  const before = readFileSync(file, 'utf8');
  const list = /(@Declares\(\{[^]*?migrations: \[)([^\]]*?),?\s*\]/;
  let text = before.replace(list, (_, start, others) => `${start}${others}${others && ','} ${className}]`);
  if (text === before) text = before.replace('@Declares({', `@Declares({ migrations: [${className}],`);
  if (text === before)
    text = before.replace(/\nexport class/, `\n@Declares({ migrations: [${className}] })\nexport class`);
  const platform = path.relative(path.dirname(file), path.join(root, 'src', 'platform')).split(path.sep);
  const declares = `import { Declares } from '${['.', ...platform].join('/').replace('./..', '..')}/modules/declares.js';\n`;
  const imports = `${text.includes('import { Declares }') ? '' : declares}import { ${className} } from '${from}';\n`;
  await writeFormatted(file, text.replace(/\n\n/, `\n${imports}\n`));
}
