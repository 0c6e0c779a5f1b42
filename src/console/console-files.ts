import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Injectable } from '@nestjs/common';

/** Where the build puts the console. */
const BUILT = join('dist', 'console');

/** The files of the console, if it was built. */
@Injectable()
export class ConsoleFiles {
  /** The page, which is never kept by browsers; undefined if there is none. */
  readonly page: string | undefined;
  /** The folder of the other files, whose names change with what is in them. */
  readonly assets: string;

  constructor() {
    const folder = join(findRoot(__dirname), BUILT);
    const page = join(folder, 'index.html');
    this.page = existsSync(page) ? readFileSync(page, 'utf8') : undefined;
    this.assets = join(folder, 'console');
  }
}

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}
