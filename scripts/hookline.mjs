#!/usr/bin/env node
/** The `hookline` command; `npm start`, `npm run backup` and the like run it too. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { exitBecauseOf, prepareToRun, root } from './prepare.mjs';

/** The program of each command in dist/src, its usage, and its description. */
const commands = {
  start: ['main.js', 'start', 'start the server'],
  backup: ['startup/backup.js', 'backup FILE', 'copy the database to a new file, even while the server runs'],
  restore: ['startup/restore.js', 'restore FILE', 'replace the database by a backup; stop the server first'],
  'rotate-key': [
    'startup/rotate-key.js',
    'rotate-key [--lost-key]',
    'encrypt the stored secrets with a new key; stop the server first',
  ],
  'create-admin': [
    'startup/create-admin.js',
    'create-admin NAME [--email ADDRESS] [--generate]',
    'create an administrator; asks for the password',
  ],
  'reset-password': [
    'startup/reset-password.js',
    'reset-password NAME [--generate]',
    'set a new password and end the sessions of an account',
  ],
  listen: [
    'startup/listen.js',
    'listen --url SERVER --hook ID --forward URL',
    'pull the deliveries of a webhook and forward them to a program; HOOKLINE_TOKEN is its token',
  ],
  import: [
    'startup/import.js',
    'import mattermost URL | bulk FILE | rocketchat FILE [--dry-run]',
    'bring over the contents of another server; stop this one first',
  ],
  export: [
    'startup/export.js',
    'export FILE --url SERVER [--team NAME]',
    'write the webhooks of a server to a YAML file; HOOKLINE_TOKEN is the token of an account',
  ],
  plan: [
    'startup/plan.js',
    'plan FILE --url SERVER [--prune] [--secrets] [--json]',
    'show how a server differs from such a file; the exit code is 2 if it does',
  ],
  apply: [
    'startup/apply.js',
    'apply FILE --url SERVER [--prune] [--secrets] [--yes]',
    'change the server until it is what the file says',
  ],
};

const [command = 'help', ...args] = process.argv.slice(2);
if (command === 'version' || [command, ...args].includes('--version')) {
  console.log(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version);
} else if (command === 'help' || [command, ...args].some((arg) => arg === '--help' || arg === '-h')) {
  console.log(help());
} else if (!Object.hasOwn(commands, command)) {
  console.error(`There is no command "${command}".\n\n${help()}`);
  process.exitCode = 2;
} else {
  await run(commands[command][0]);
}

/** Runs a program in this process, from a checkout after installing and building what is missing. */
async function run(program) {
  process.argv.splice(2, 1);
  try {
    if (existsSync(path.join(root, 'src'))) {
      process.env.INIT_CWD ??= process.cwd(); // relative files are meant from here
      process.chdir(root); // relative paths in settings, such as DATA_DIR=./data, are relative to the project folder
      await prepareToRun();
    }
  } catch (error) {
    return exitBecauseOf(error);
  }
  await import(`../dist/src/${program}`);
}

function help() {
  const rows = [
    ...Object.values(commands).map(([, usage, does]) => [usage, does]),
    ['version', 'print the version'],
    ['help', 'print this'],
  ];
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return [
    'Usage: hookline COMMAND',
    '',
    ...rows.map(([usage, does]) => `  ${usage.padEnd(width)}   ${does}`),
    '',
    'Settings come from the environment and from .env in the working folder; see docs/settings.md.',
  ].join('\n');
}
