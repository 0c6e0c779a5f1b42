import { parseArgs } from 'node:util';
import { Module } from '@nestjs/common';
import type { Channel } from '../../../messaging/channels/channel.entity.js';
import type { IncomingHook } from '../../../incoming-hooks/incoming-hook.entity.js';
import type { Team } from '../../../messaging/teams/team.entity.js';
import type { User } from '../../../messaging/users/user.entity.js';
import type { OutgoingHook } from '../../../outgoing-hooks/outgoing-hook.entity.js';
import { intersects } from '../../../outgoing-hooks/outgoing-hook.rules.js';
import { AppError } from '../../../platform/common/errors/app-error.js';
import { CommandRefused } from '../../../platform/common/errors/command-refused.js';
import type { AllSettings } from '../../../platform/config/all-settings.js';
import { PlatformModule } from '../../../platform/platform.module.js';
import { fromHere, say } from '../../command.js';
import { withStoppedServer } from '../../stopped-server.js';
import { incomingTable, outgoingTable } from '../mattermost/hooks.tables.js';
import { ImportTarget } from '../mattermost/target.repository.js';
import { readDocuments } from './file.js';
import { incomingHookOf, LeftOut, outgoingHooksOf, type Place } from './hooks.js';
import { Integration } from './integration.js';

const USAGE =
  'Usage: hookline import rocketchat FILE.json [--team NAME] [--owner USERNAME] [--dry-run] [--json]';

interface Options {
  readonly file: string;
  readonly team: string | undefined;
  /** The owner of webhooks whose account does not exist here. */
  readonly owner: string | undefined;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

const CONTROL = /\p{Cc}/gu;

const OUTCOMES = ['imported', 'paused', 'already here', 'left out'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** What became of an integration, as printed with `--json`. */
interface Result {
  readonly name: string;
  readonly type: string;
  readonly outcome: Outcome;
  readonly notes: readonly string[];
}

@Module({ imports: [PlatformModule], providers: [ImportTarget] })
class RocketChatImportModule {}

/** `hookline import rocketchat`: imports the integrations of Rocket.Chat (docs/moving.md#from-rocketchat). */
export async function importRocketChat(all: AllSettings, args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  const integrations = readDocuments(options.file).map((document) => new Integration(document));
  const results = await withStoppedServer(all, RocketChatImportModule, 'Stop it for the import.', (app) =>
    RocketChatImport.run(app.get(ImportTarget), integrations, options),
  );
  say(options.isJson ? jsonOf(results, options) : textOf(results, options));
}

function optionsOf(args: readonly string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'dry-run': flag, json: flag, team: text, owner: text },
    });
    const [file = '', ...more] = positionals;
    if (file === '' || more.length > 0) throw new Error('Name one file.');
    const { 'dry-run': isDryRun, json: isJson, team, owner } = values;
    return { file: fromHere(file), team, owner: owner?.toLowerCase(), isDryRun, isJson };
  } catch (error) {
    throw new CommandRefused(`${(error as Error).message}\n${USAGE}`);
  }
}

/** Imports each integration in one transaction. What is here already is not touched. */
class RocketChatImport {
  private readonly now = Date.now();

  private constructor(
    private readonly target: ImportTarget,
    private readonly team: Team,
    private readonly owner: User | undefined,
    private readonly isDryRun: boolean,
  ) {}

  static async run(
    target: ImportTarget,
    integrations: readonly Integration[],
    { team, owner, isDryRun }: Options,
  ): Promise<Result[]> {
    const user = owner === undefined ? undefined : await userOf(target, owner);
    if (owner !== undefined && !user)
      throw new CommandRefused(`There is no account ${JSON.stringify(owner)}.`);
    const run = new RocketChatImport(target, await teamOf(target, team), user, isDryRun);
    const results: Result[] = [];
    for (const integration of integrations) results.push(await run.result(integration));
    return results;
  }

  private async result(integration: Integration): Promise<Result> {
    const { name, type, notes } = integration;
    try {
      const outcome = await this.add(integration);
      if (outcome === 'paused') notes.unshift(integration.pausedBecause ?? '');
      return { name, type, outcome, notes: outcome === 'already here' ? [] : notes };
    } catch (error) {
      if (!(error instanceof LeftOut || error instanceof AppError)) throw error;
      return { name, type, outcome: 'left out', notes: [error.message] };
    }
  }

  private async add(integration: Integration): Promise<Outcome> {
    const isIncoming = integration.type === 'webhook-incoming';
    if (!isIncoming && integration.type !== 'webhook-outgoing') throw new LeftOut('its type is unknown');
    const place = await this.placeOf(integration);
    const isNew = isIncoming
      ? await this.addIncoming(await incomingHookOf(integration, place))
      : await this.addOutgoing(await outgoingHooksOf(integration, place), integration, place);
    if (!isNew) return 'already here';
    return integration.pausedBecause === undefined ? 'imported' : 'paused';
  }

  /** Returns false if it is here, even if it was deleted or has another URL by now. */
  private async addIncoming(hook: IncomingHook): Promise<boolean> {
    const sameUrl = await this.target.listBy('IncomingHook', 'aliasPath', [hook.aliasPath]);
    if (sameUrl.length > 0 || (await this.target.existing(incomingTable, [[hook.id]])).size > 0) return false;
    if (!this.isDryRun) await this.target.write(incomingTable, { inserted: [hook], updated: [] });
    return true;
  }

  /** Returns false if one for each channel is here. */
  private async addOutgoing(
    hooks: readonly OutgoingHook[],
    { notes }: Integration,
    { owner, team }: Place,
  ): Promise<boolean> {
    const here = await this.target.existing(
      outgoingTable,
      hooks.map(({ id }) => [id]),
    );
    const inserted = hooks.filter(({ id }) => !here.has(id));
    if (inserted.length === 0) return false;
    const memberships = await this.target.listBy('TeamMember', 'userId', [owner.id]);
    if (!memberships.some(({ teamId, deleteAt }) => teamId === team.id && deleteAt === 0))
      throw new LeftOut(`its owner ${owner.username} is not a member of the team ${team.name}`);
    const others = (await this.target.listBy('OutgoingHook', 'teamId', [team.id])) as OutgoingHook[];
    if (inserted.some((hook) => others.some((other) => other.deleteAt === 0 && intersects(hook, other))))
      throw new LeftOut('another webhook has the same channel, trigger words and URLs');
    if (here.size > 0) notes.push('some of its channels were here');
    if (!this.isDryRun) await this.target.write(outgoingTable, { inserted, updated: [] });
    return true;
  }

  private async placeOf({ username }: Integration): Promise<Place> {
    const owner = (await userOf(this.target, username)) ?? this.owner;
    if (!owner)
      throw new LeftOut(`there is no account ${JSON.stringify(username)}; name an owner with --owner`);
    const { target, team, now } = this;
    const findChannel = async (name: string) => {
      const channels = (await target.listBy('Channel', 'name', [name])) as Channel[];
      return channels.find(({ teamId, deleteAt }) => teamId === team.id && deleteAt === 0);
    };
    return { team, owner, now, findChannel };
  }
}

/** The team of the channels. Throws CommandRefused if there is no such team, or none is named and there are several. */
async function teamOf(target: ImportTarget, name: string | undefined): Promise<Team> {
  const teams = (await target.listBy('Team', 'deleteAt', [0])) as Team[];
  const found = name === undefined ? teams : teams.filter((team) => team.name === name);
  const [team, ...more] = found;
  if (team && more.length === 0) return team;
  if (name !== undefined) throw new CommandRefused(`There is no team ${JSON.stringify(name)}.`);
  throw new CommandRefused(`There are ${teams.length} teams: name the one of the channels with --team.`);
}

async function userOf(target: ImportTarget, username: string): Promise<User | undefined> {
  return ((await target.listBy('User', 'username', [username])) as User[])[0];
}

function jsonOf(integrations: readonly Result[], { file, isDryRun }: Options): string {
  return JSON.stringify({ source: file, dry_run: isDryRun, integrations }, null, 2);
}

function textOf(results: readonly Result[], { file, isDryRun }: Options): string {
  const count = (wanted: Outcome): string => {
    const { length } = results.filter(({ outcome }) => outcome === wanted);
    return `${length} ${wanted}`;
  };
  return [
    `${isDryRun ? 'Dry run of an import' : 'Import'} of ${file}`,
    '',
    ...results.flatMap(({ name, type, outcome, notes }) => [
      `  ${outcome.padEnd(12)}  ${type.replace('webhook-', '').padEnd(8)}  ${JSON.stringify(name)}`,
      ...notes.map((note) => `      ${note.replace(CONTROL, ' ')}`),
    ]),
    '',
    `${results.length} integrations: ${OUTCOMES.map(count).join(', ')}.`,
    ...(isDryRun ? ['Nothing was written.'] : []),
  ].join('\n');
}
