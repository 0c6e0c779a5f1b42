import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Env } from './parse.js';

const FILE = '.env';

/** The process environment, completed from `.env` in the working directory. Variables that are already set win. */
export function readEnvironment(): Env {
  if (existsSync(FILE)) process.loadEnvFile(FILE);
  return process.env;
}

/** The names of the variables that `.env` sets. */
export function namesInFile(): readonly string[] {
  return Object.keys(readFile());
}

/** The names of those variables of `.env` that are in force: nothing that won over them says otherwise. */
export function namesFromFile(env: Env): ReadonlySet<string> {
  return new Set(
    Object.entries(readFile())
      .filter(([name, value]) => env[name] === value)
      .map(([name]) => name),
  );
}

function readFile(): Env {
  return existsSync(FILE) ? parseEnv(readFileSync(FILE, 'utf8')) : {};
}
