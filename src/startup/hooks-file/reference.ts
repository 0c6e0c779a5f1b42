import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { Env } from '../../platform/config/parse.js';
import { Misfit } from './faults.js';
import type { Tree } from './yaml-tree.js';

/** Only these can be named, so that a file cannot send other variables of a CI job to a receiver. */
export const SECRET_PREFIX = 'HOOKLINE_SECRET_';
const NAME = /^HOOKLINE_SECRET_[A-Z0-9_]{1,200}$/;
const MAX_FILE_BYTES = 64 * 1024;

/** A secret that is not in the file but in a variable, or in a file next to it. It never prints its value. */
export class Reference {
  #value: string | undefined;

  constructor(
    readonly source: 'env' | 'file',
    readonly name: string,
    readonly line: number,
  ) {}

  /** Undefined if it is not set or cannot be read. */
  get value(): string | undefined {
    return this.#value;
  }

  /** Reads the value. Throws Misfit if the path is outside the folder of `file`. */
  resolve(env: Env, file: string): void {
    this.#value =
      (this.source === 'env' ? env[this.name] : this.readFile(dirname(resolve(file)))) || undefined;
  }

  /** Why there is no value. */
  get absence(): string {
    return this.source === 'env'
      ? `the variable ${this.name} is not set`
      : `the file ${this.name} cannot be read`;
  }

  private readFile(folder: string): string | undefined {
    try {
      const path = realpathSync(resolve(folder, this.name));
      if (!path.startsWith(realpathSync(folder) + sep))
        throw new Misfit(this.line, 'the file must be in the folder of this one, or below it');
      if (statSync(path).size > MAX_FILE_BYTES)
        throw new Misfit(this.line, 'the file is too large for a secret');
      return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      if (error instanceof Misfit) throw error;
      return undefined;
    }
  }
}

/** Reads `{env: NAME}` or `{file: PATH}`. Throws Misfit. */
export function readReference({ line, value }: Tree): Reference {
  if (value instanceof Map && value.size === 1) {
    const [[source, { value: name }]] = [...(value as ReadonlyMap<string, Tree>)] as [[string, Tree]];
    if (source === 'env' && typeof name === 'string') {
      if (NAME.test(name)) return new Reference(source, name, line);
      throw new Misfit(line, `the variable must begin with ${SECRET_PREFIX}, and have A–Z, 0–9 and _ only`);
    }
    if (source === 'file' && typeof name === 'string' && name !== '' && !name.includes('\0'))
      return new Reference(source, name, line);
  }
  throw new Misfit(line, `a secret is not written here: use {env: ${SECRET_PREFIX}…} or {file: PATH}`);
}

/** The references anywhere in a value. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (value instanceof Reference) return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(referencesIn) : [];
}

/** The value with the secrets in place of the references. */
export function opened(value: unknown): unknown {
  if (value instanceof Reference) return value.value;
  if (Array.isArray(value)) return value.map(opened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, opened(each)]));
}
