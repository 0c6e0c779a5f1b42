import { existsSync } from 'node:fs';
import { Env } from './parse.js';

/** The process environment, completed from `.env` in the working directory. Variables that are already set win. */
export function readEnvironment(): Env {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
