import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '..');
const SERVICE = 'src/messaging/teams/teams.service.ts';
const READ_MODEL = 'src/messaging/teams/team-members.read-model.ts';
const IMPORT = 'boundaries/dependencies';
const SYNTAX = 'no-restricted-syntax';

/** Files with one violation each. The files exist, so that imports resolve as usual. */
const VIOLATIONS: readonly (readonly [file: string, text: string, rule: string])[] = [
  [SERVICE, "import '../posts/posts.module.js';", IMPORT],
  ['src/incoming-hooks/incoming-hook.rules.ts', "import '../outgoing-hooks/outgoing-hook.rules.js';", IMPORT],
  ['src/delivery/outbound/undici-adapter.ts', "import '../../messaging/users/user-rules.js';", IMPORT],
  [SERVICE, "import '../../app.setup.js';", IMPORT],
  [SERVICE, "import '../../../test/support/site.js';", IMPORT],
  [SERVICE, "export * from '../users/users.repository.js';", IMPORT],
  [SERVICE, "import { User } from '../users/user.entity.js'; new User();", IMPORT],
  [SERVICE, "import { In } from 'typeorm'; In([]);", IMPORT],
  [SERVICE, 'unitOfWork.manager;', 'no-restricted-properties'],
  [SERVICE, 'const { manager } = work; manager();', 'no-restricted-properties'],
  [SERVICE, 'process.env;', 'no-restricted-properties'],
  [SERVICE, "import { env } from 'node:process'; env;", 'no-restricted-imports'],
  [SERVICE, "import { forwardRef } from '@nestjs/common'; forwardRef;", 'no-restricted-imports'],
  [SERVICE, 'setInterval(() => 1, 1);', 'no-restricted-globals'],
  ['src/messaging/teams/team-members.repository.ts', "manager.query('SELECT 1');", SYNTAX],
  [READ_MODEL, 'rows.update({}, {});', SYNTAX],
  [READ_MODEL, "sql = 'DELETE FROM teams';", SYNTAX],
  [READ_MODEL, 'sql = `UPDATE teams SET ${a}`;', SYNTAX],
  ['src/messaging/teams/teams.controller.ts', 'if (a) b();', SYNTAX],
];

const ALLOWED: readonly (readonly [file: string, text: string])[] = [
  [SERVICE, "import '../users/users.service.js';"],
  [SERVICE, "import type { User } from '../users/user.entity.js'; export type A = User;"],
  [SERVICE, "import './teams.repository.js';"],
  ['src/messaging/teams/teams.repository.ts', "import { In } from 'typeorm'; In([]);"],
  [READ_MODEL, "import { User } from '../users/user.entity.js'; new User();"],
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
