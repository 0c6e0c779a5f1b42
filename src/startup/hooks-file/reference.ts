import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { isJsonObject } from '../../platform/common/json.js';
import type { Env } from '../../platform/config/parse.js';
import { Misfit } from './yaml-file.js';

/** Only these can be named, so that a file cannot send other variables of a CI job to a receiver. */
export const SECRET_PREFIX = 'HOOKLINE_SECRET_';
const VARIABLE = /^HOOKLINE_SECRET_[A-Z0-9_]{1,200}$/;
const MAX_FILE_BYTES = 64 * 1024;

/** A secret that is not in the file but in a variable, or in a file next to it. It never prints its value. */
export class Reference {
  #value: string | undefined;

  private constructor(
    private readonly source: 'env' | 'file',
    private readonly name: string,
  ) {}

  /** Reads `{env: NAME}` or `{file: PATH}`. Throws Misfit. */
  static read(value: unknown): Reference {
    const [[source, name] = [], ...more] = isJsonObject(value) ? Object.entries(value) : [];
    const isKnown = source === 'env' || source === 'file';
    if (!isKnown || typeof name !== 'string' || more.length > 0)
      throw new Misfit(`a secret is not written here: use {env: ${SECRET_PREFIX}…} or {file: PATH}`);
    if (source === 'env' && !VARIABLE.test(name))
      throw new Misfit(`the variable must begin with ${SECRET_PREFIX}, and have A–Z, 0–9 and _ only`);
    return new Reference(source, name);
  }

  /** Undefined if it is not set or cannot be read. */
  get value(): string | undefined {
    return this.#value;
  }

  /** Why there is no value. */
  get absence(): string {
    return `the ${this.source === 'env' ? 'variable' : 'file'} ${this.name} is missing or empty`;
  }

  /** Gets the value. Throws Misfit if the path is outside the folder of `file`. */
  resolve(env: Env, file: string): void {
    this.#value = (this.source === 'env' ? env[this.name] : this.readFile(dirname(file))) || undefined;
  }

  private readFile(folder: string): string | undefined {
    let path: string;
    try {
      path = realpathSync(resolve(folder, this.name));
    } catch {
      return undefined;
    }
    if (!path.startsWith(realpathSync(folder) + sep))
      throw new Misfit(`${this.name} is not in the folder of this file or below it`);
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES) throw new Misfit(`${this.name} is too large for a secret`);
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  }
}

/** The references anywhere in a value. */
export function referencesIn(value: unknown): readonly Reference[] {
  if (value instanceof Reference) return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(referencesIn) : [];
}

/** The value with something else in place of some of its parts; `replaced` returns undefined for those that stay. */
export function mapped(value: unknown, replaced: (part: unknown) => unknown): unknown {
  const other = replaced(value);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((each) => mapped(each, replaced));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, replaced)]));
}
