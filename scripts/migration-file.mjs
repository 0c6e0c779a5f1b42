/** Makes the files of migrations, and declares them in their modules. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import prettier from 'prettier';
import { root } from './prepare.mjs';

/** Lower-case words with dashes between them. */
export const KEBAB_CASE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** `hook-schedules` as `HookSchedules`. */
export const pascalCase = (name) =>
  name
    .split('-')
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join('');

/**
 * Makes a migration of this moment in the folder of a module and declares it there; gives the path of the file.
 * `textOf` gives its source for a class name; without it the migration changes nothing yet.
 */
export async function makeMigration(folder, name, textOf = emptyMigration) {
  const timestamp = Date.now();
  const className = `${pascalCase(name)}${timestamp}`;
  const base = `${timestamp}-${name}`;
  const file = path.join(folder, 'migrations', `${base}.ts`);
  await writeFormatted(file, textOf(className));
  await declare(
    path.join(folder, `${path.basename(folder)}.module.ts`),
    className,
    `./migrations/${base}.js`,
  );
  return path.relative(root, file);
}

/** Writes a file as `npm run format` would leave it. */
export async function writeFormatted(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  const options = { ...(await prettier.resolveConfig(file)), filepath: file };
  writeFileSync(file, await prettier.format(text, options));
}

const emptyMigration = (className) => `import type { MigrationInterface, QueryRunner } from 'typeorm';

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
`;

/** Adds the migration to what the module declares. */
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
