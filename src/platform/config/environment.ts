import { existsSync } from 'node:fs';
import { Env } from './parse.js';

/** The process environment, with `.env` of the working folder below it (set variables win). */
export function readEnvironment(): Env {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}
