import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');

/** Files with one violation each. The files exist, so that imports resolve as usual. */
const VIOLATIONS: readonly (readonly [file: string, text: string, rule: string])[] = [
  ['src/messaging/teams/teams.service.ts', "import '../posts/posts.module.js';", 'boundaries/dependencies'],
  [
    'src/incoming-hooks/hook-uses.ts',
    "import '../outgoing-hooks/outgoing-hook.rules.js';",
    'boundaries/dependencies',
  ],
  [
    'src/delivery/outbound/undici-adapter.ts',
    "import '../../messaging/users/user-rules.js';",
    'boundaries/dependencies',
  ],
  ['src/messaging/teams/teams.service.ts', "import '../../app.setup.js';", 'boundaries/dependencies'],
  [
    'src/messaging/teams/teams.service.ts',
    "import '../../../test/support/site.js';",
    'boundaries/dependencies',
  ],
  [
    'src/messaging/teams/teams.service.ts',
    "export * from '../users/users.repository.js';",
    'boundaries/dependencies',
  ],
  [
    'src/messaging/teams/teams.service.ts',
    "import { User } from '../users/user.entity.js'; new User();",
    'boundaries/dependencies',
  ],
  [
    'src/messaging/teams/teams.service.ts',
    "import { In } from 'typeorm'; In([]);",
    'boundaries/dependencies',
  ],
  ['src/messaging/teams/teams.service.ts', 'unitOfWork.manager;', 'no-restricted-properties'],
  [
    'src/messaging/teams/teams.service.ts',
    'const { manager } = work; manager();',
    'no-restricted-properties',
  ],
  ['src/messaging/teams/teams.service.ts', 'process.env;', 'no-restricted-properties'],
  [
    'src/messaging/teams/teams.service.ts',
    "import { env } from 'node:process'; env;",
    'no-restricted-imports',
  ],
  [
    'src/messaging/teams/teams.service.ts',
    "import { forwardRef } from '@nestjs/common'; forwardRef;",
    'no-restricted-imports',
  ],
  ['src/messaging/teams/teams.service.ts', 'setInterval(() => 1, 1);', 'no-restricted-globals'],
  ['src/messaging/teams/team-members.repository.ts', "manager.query('SELECT 1');", 'no-restricted-syntax'],
  ['src/messaging/teams/team-members.read-model.ts', 'rows.update({}, {});', 'no-restricted-syntax'],
  ['src/messaging/teams/team-members.read-model.ts', "sql = 'DELETE FROM teams';", 'no-restricted-syntax'],
  [
    'src/messaging/teams/team-members.read-model.ts',
    'sql = `UPDATE teams SET ${a}`;',
    'no-restricted-syntax',
  ],
  ['src/messaging/teams/teams.controller.ts', 'if (a) b();', 'no-restricted-syntax'],
];

const ALLOWED: readonly (readonly [file: string, text: string])[] = [
  ['src/messaging/teams/teams.service.ts', "import '../users/users.service.js';"],
  [
    'src/messaging/teams/teams.service.ts',
    "import type { User } from '../users/user.entity.js'; export type A = User;",
  ],
  ['src/messaging/teams/teams.service.ts', "import './teams.repository.js';"],
  ['src/messaging/teams/teams.repository.ts', "import { In } from 'typeorm'; In([]);"],
  [
    'src/messaging/teams/team-members.read-model.ts',
    "import { User } from '../users/user.entity.js'; new User();",
  ],
  ['src/failure-messages/failure-messages.module.ts', "import '../outgoing-hooks/outgoing-hook.rules.js';"],
  ['src/startup/server.ts', "import '../app.setup.js';"],
  ['src/messaging/messaging.module.ts', "import './posts/posts.module.js';"],
  ['src/app.module.ts', "import './failure-messages/failure-messages.module.js';"],
];

/** ESLint loads its configuration with `import`, which jest does not have. */
const PROGRAM = `
  import { ESLint } from 'eslint';
  const rules = /^(boundaries\\/|no-restricted-)/;
  const eslint = new ESLint({
    overrideConfig: { languageOptions: { parserOptions: { project: null } } },
    ruleFilter: ({ ruleId }) => rules.test(ruleId),
  });
  const found = [];
  for (const [file, text] of JSON.parse(process.argv[1])) {
    const [{ messages }] = await eslint.lintText(text, { filePath: file });
    found.push(messages.map(({ ruleId, message }) => ruleId ?? message));
  }
  console.log(JSON.stringify(found));
`;

describe('the lint rules about modules', () => {
  const lint = (cases: readonly (readonly [string, string, ...string[]])[]): unknown => {
    const args = ['--input-type=module', '-e', PROGRAM, JSON.stringify(cases)];
    return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }));
  };

  it('report each violation', () => {
    expect(lint(VIOLATIONS)).toEqual(VIOLATIONS.map(([, , rule]) => [rule]));
  }, 60_000);

  it('allow what the order of the modules allows', () => {
    expect(lint(ALLOWED)).toEqual(ALLOWED.map(() => []));
  }, 60_000);
});
