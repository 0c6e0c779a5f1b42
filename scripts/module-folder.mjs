import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Failure, root } from './prepare.mjs';

/** The folder that holds `NAME.module.ts`. */
export function findModule(name) {
  const file = readdirSync(path.join(root, 'src'), { recursive: true }).find(
    (entry) => path.basename(entry) === `${name}.module.ts`,
  );
  if (file === undefined)
    throw new Failure(`There is no module "${name}" below src: name one like incoming-hooks.`);
  return path.join(root, 'src', path.dirname(file));
}
