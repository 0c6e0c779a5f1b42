import { parseArgs } from 'node:util';
import type { Channel } from '../../../messaging/channels/channel.entity.js';
import type { Team } from '../../../messaging/teams/team.entity.js';
import type { User } from '../../../messaging/users/user.entity.js';
import type { OutgoingHook } from '../../../outgoing-hooks/outgoing-hook.entity.js';
import { hookIntersects } from '../../../outgoing-hooks/outgoing-hooks.errors.js';
import { intersects } from '../../../outgoing-hooks/outgoing-hook.rules.js';
import { AppError } from '../../../platform/common/errors/app-error.js';
import { CommandRefused } from '../../../platform/common/errors/command-refused.js';
import type { AllSettings } from '../../../platform/config/all-settings.js';
import { fileArgument, say } from '../../command.js';
import { withStoppedServer } from '../../stopped-server.js';
import { ImportModule, STOP_HINT } from '../import.module.js';
import type { TargetTable } from '../target-rows.js';
import { ImportTarget } from '../target.repository.js';
import { readDocuments } from './file.js';
import { incomingHookOf, LeftOut, outgoingHooksOf, type Place } from './hooks.js';
import { Integration } from './integration.js';

const USAGE =
  'Usage: hookline import rocketchat FILE.json [--team NAME] [--owner USERNAME] [--dry-run] [--json]';
const OUTCOMES = ['imported', 'paused', 'already here', 'left out'] as const;
const INCOMING: TargetTable = { to: 'IncomingHook', keyHere: ['id'] };
const OUTGOING: TargetTable = { to: 'OutgoingHook', keyHere: ['id'] };
const CONTROL = /\p{Cc}/gu;

type Outcome = (typeof OUTCOMES)[number];

/** What became of an integration, as printed with `--json`. */
interface Result {
  readonly name: string;
  readonly type: string;
  readonly outcome: Outcome;
  readonly notes: readonly string[];
}

/** Where the integrations go. */
interface Destination {
  readonly target: ImportTarget;
  readonly team: Team;
  /** Of webhooks whose account does not exist here. */
  readonly owner: User | undefined;
  readonly isDryRun: boolean;
}

/** `hookline import rocketchat`: each integration in one transaction (docs/moving.md#from-rocketchat). */
export async function importRocketChat(all: AllSettings, args: readonly string[]): Promise<void> {
  const { file, team, owner, isDryRun, isJson } = optionsOf(args);
  const integrations = readDocuments(file).map((document) => new Integration(document));
  const results = await withStoppedServer(all, ImportModule, STOP_HINT, async (app) => {
    const target = app.get(ImportTarget);
    const user = owner === undefined ? undefined : await userOf(target, owner);
    if (owner !== undefined && !user)
      throw new CommandRefused(`There is no account ${JSON.stringify(owner)}.`);
    const destination = { target, team: await teamOf(target, team), owner: user, isDryRun };
    const found: Result[] = [];
    for (const integration of integrations) found.push(await resultOf(integration, destination));
    return found;
  });
  const report = { source: file, dry_run: isDryRun, integrations: results };
  say(isJson ? JSON.stringify(report, null, 2) : reportText(report));
}

function optionsOf(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  try {
    const options = { 'dry-run': flag, json: flag, team: text, owner: text };
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const { 'dry-run': isDryRun, json: isJson, team, owner } = values;
    const file = fileArgument(positionals, 'import rocketchat');
    return { file, team, owner: owner?.toLowerCase(), isDryRun, isJson };
  } catch (error) {
    throw new CommandRefused(`${(error as Error).message}\n${USAGE}`);
  }
}

async function resultOf(integration: Integration, destination: Destination): Promise<Result> {
  const { name, type, notes, pausedBecause } = integration;
  try {
    if (!(await add(integration, destination))) return { name, type, outcome: 'already here', notes: [] };
    return pausedBecause === undefined
      ? { name, type, outcome: 'imported', notes }
      : { name, type, outcome: 'paused', notes: [pausedBecause, ...notes] };
  } catch (error) {
    if (!(error instanceof LeftOut || error instanceof AppError)) throw error;
    return { name, type, outcome: 'left out', notes: [error.message] };
  }
}

/** Returns false if its webhooks are here, even if they were changed or deleted. */
async function add(
  integration: Integration,
  { target, team, owner, isDryRun }: Destination,
): Promise<boolean> {
  const { type, username, notes } = integration;
  const isIncoming = type === 'webhook-incoming';
  if (!isIncoming && type !== 'webhook-outgoing') throw new LeftOut('its type is unknown');
  const user = (await userOf(target, username)) ?? owner;
  if (!user) throw new LeftOut(`there is no account ${JSON.stringify(username)}; name an owner with --owner`);
  const findChannel = async (name: string): Promise<Channel | undefined> =>
    (await target.findOne('Channel', { teamId: team.id, name, deleteAt: 0 })) as Channel | undefined;
  const place: Place = { team, owner: user, now: Date.now(), findChannel };
  const hooks = isIncoming
    ? [await incomingHookOf(integration, place)]
    : await outgoingHooksOf(integration, place);
  const table = isIncoming ? INCOMING : OUTGOING;
  const here = await target.existing(
    table,
    hooks.map(({ id }) => [id]),
  );
  const inserted = hooks.filter(({ id }) => !here.has(id));
  const [first] = inserted;
  if (!first) return false;
  if (!('aliasPath' in first)) await requireAllowed(inserted as OutgoingHook[], target, place);
  // An incoming webhook has another id once its URL was rotated.
  else if (await target.findOne('IncomingHook', { aliasPath: first.aliasPath })) return false;
  if (here.size > 0) notes.push('some of its webhooks were here');
  if (!isDryRun) await target.write(table, { inserted, updated: [] });
  return true;
}

/** The rules of new outgoing webhooks that concern others. Throws LeftOut and AppError. */
async function requireAllowed(
  hooks: readonly OutgoingHook[],
  target: ImportTarget,
  { team, owner }: Place,
): Promise<void> {
  if (!(await target.findOne('TeamMember', { teamId: team.id, userId: owner.id, deleteAt: 0 })))
    throw new LeftOut(`its owner ${owner.username} is not a member of the team ${team.name}`);
  const others = (await target.listBy('OutgoingHook', 'teamId', [team.id])) as OutgoingHook[];
  if (hooks.some((hook) => others.some((other) => other.deleteAt === 0 && intersects(hook, other))))
    throw hookIntersects('create');
}

/** The team of the channels. Throws CommandRefused if it does not exist, or is not named although there are several. */
async function teamOf(target: ImportTarget, name: string | undefined): Promise<Team> {
  const teams = (await target.listBy('Team', 'deleteAt', [0])) as Team[];
  const [team, ...more] = name === undefined ? teams : teams.filter((each) => each.name === name);
  if (team && more.length === 0) return team;
  throw new CommandRefused(
    name === undefined
      ? `There are ${teams.length} teams: name the one of the channels with --team.`
      : `There is no team ${JSON.stringify(name)}.`,
  );
}

async function userOf(target: ImportTarget, username: string): Promise<User | undefined> {
  return (await target.findOne('User', { username })) as User | undefined;
}

interface Report {
  readonly source: string;
  readonly dry_run: boolean;
  readonly integrations: readonly Result[];
}

function reportText({ source, dry_run: isDryRun, integrations }: Report): string {
  const counts = OUTCOMES.map(
    (wanted) => `${integrations.filter(({ outcome }) => outcome === wanted).length} ${wanted}`,
  );
  return [
    `${isDryRun ? 'Dry run of an import' : 'Import'} of ${source}`,
    '',
    ...integrations.flatMap(({ name, type, outcome, notes }) => [
      `  ${outcome.padEnd(12)}  ${type.replace('webhook-', '').padEnd(8)}  ${JSON.stringify(name)}`,
      ...notes.map((note) => `      ${note.replace(CONTROL, ' ')}`),
    ]),
    '',
    `${integrations.length} integrations: ${counts.join(', ')}.`,
    ...(isDryRun ? ['Nothing was written.'] : []),
  ].join('\n');
}
