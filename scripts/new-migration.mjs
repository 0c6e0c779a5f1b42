/**
 * Makes an empty migration in the folder of a module, and declares it there.
 *
 *   npm run migration:new -- add-photo --module=incoming-hooks
 *
 * Inside a module's folder its name may be left out.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { KEBAB_CASE, makeMigration } from './migration-file.mjs';
import { Failure, exitBecauseOf, root } from './prepare.mjs';

try {
  const { values, positionals } = parseArgs({
    options: { module: { type: 'string' } },
    allowPositionals: true,
  });
  const [name = ''] = positionals;
  if (!KEBAB_CASE.test(name) || positionals.length !== 1)
    throw new Failure('Name the migration in lower case with dashes: npm run migration:new -- add-photo');
  const folder = findModule(values.module ?? path.basename(process.env.INIT_CWD ?? ''));
  console.log(await makeMigration(folder, name));
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
