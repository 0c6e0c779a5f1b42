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
  return existsSync(FILE) ? Object.keys(parseEnv(readFileSync(FILE, 'utf8'))) : [];
}
