import { createHash } from 'node:crypto';
import type { Ids, Names } from './field.js';
import { type Fields, type KindName, kindOf, type Named } from './kinds.js';
import { Refusal, type Row, type ServerApi } from './server-api.js';

const DIGEST_LENGTH = 12;
const SLICE = 1_000;
/** What callers without the permission get, or if the feature is switched off. */
const OUT_OF_REACH = [403, 404, 501];
const USERS = ['user_id', 'creator_id', 'bot_user_id', 'owner_id'];

/** An object of the server, in the words of the file. */
export interface Found extends Named {
  readonly id: string;
  readonly fields: Fields;
}

/** What a file calls a webhook whose name is not unique: the id of an incoming webhook is a secret. */
export function digestOf({ id }: Found): string {
  return createHash('sha256').update(`hookline ${id}`).digest('hex').slice(0, DIGEST_LENGTH);
}

/** Ids by names, and names by ids. */
class Directory {
  readonly ids = new Map<string, string>();
  private readonly names = new Map<string, string>();

  add(name: unknown, id: unknown): void {
    this.ids.set(String(name), String(id));
    this.names.set(String(id), String(name));
  }

  readonly name = (id: string): string | undefined => this.names.get(id);
  /** Plans have checked that it exists. */
  readonly id = (name: string): string => this.ids.get(name) ?? '';
}

/** The objects of some teams that the caller can manage, and the names and ids of what they refer to. */
export class Inventory {
  readonly found: Found[] = [];
  /** Why some objects of a kind cannot be listed. */
  readonly refused = new Map<KindName, string>();
  /** The teams of which some webhooks can be listed. */
  readonly reached = new Set<string>();
  readonly teams = new Directory();
  readonly users = new Directory();
  /** Their names follow those of their teams, and a slash. */
  readonly channels = new Directory();

  readonly ids: Ids = {
    ...{ team: this.teams.id, user: this.users.id },
    channel: (team, name) => this.channels.id(`${team}/${name}`),
  };
  private readonly names: Names = {
    ...{ team: this.teams.name, user: this.users.name },
    channel: (id) => this.channels.name(id)?.split('/')[1],
  };

  private constructor(private readonly api: ServerApi) {}

  /**
   * Reads channels and the objects of some kinds, and finds the accounts with some names. Of the teams, those with `names`
   * that exist, or all that the caller is in or can list. Throws CommandRefused.
   */
  static async read(
    api: ServerApi,
    names: readonly string[] | undefined,
    kinds: Iterable<KindName>,
    usernames: readonly string[] = [],
  ): Promise<Inventory> {
    const inventory = new Inventory(api);
    for (const team of await inventory.listTeams(names))
      if (team['delete_at'] === 0 && (!names || names.includes(String(team['name']))))
        inventory.teams.add(team['name'], team['id']);
    const rows = new Map<KindName, readonly Row[]>();
    for (const kind of new Set<KindName>(['channels', ...kinds])) rows.set(kind, await inventory.list(kind));
    const users = [...rows.values()].flat().flatMap((row) => USERS.map((column) => row[column]));
    await inventory.readUsers('/users/ids', users.filter(Boolean));
    await inventory.readUsers('/users/usernames', usernames);
    for (const [kind, list] of rows) inventory.found.push(...list.map((row) => inventory.foundOf(kind, row)));
    return inventory;
  }

  private async listTeams(names: readonly string[] | undefined): Promise<readonly Row[]> {
    if (!names) {
      const own = (await this.api.send('GET', '/users/me/teams')) as readonly Row[];
      return [...own, ...(await tried(this.api.list('/teams')))];
    }
    const teams: Row[] = [];
    for (const name of names)
      teams.push(
        ...(await tried(
          this.api.send('GET', `/teams/name/${encodeURIComponent(name)}`).then((team) => [team as Row]),
        )),
      );
    return teams;
  }

  private async list(kind: KindName): Promise<readonly Row[]> {
    const { route, isInTeam } = kindOf(kind);
    const note = (reason: string) => this.refused.set(kind, reason);
    if (!isInTeam)
      return tried(this.api.list(kind === 'bots' ? `${route}?include_deleted=true` : route), note);
    const rows: Row[] = [];
    for (const [team, teamId] of this.teams.ids) {
      if (kind === 'channels') {
        rows.push(...(await this.listChannels(team, teamId)));
        continue;
      }
      const hooks = this.api.list(`${route}?team_id=${teamId}`, 'id').then((list) => {
        this.reached.add(team);
        return list;
      });
      rows.push(...(await tried(hooks, note)).filter(isUsable));
    }
    return rows;
  }

  /** The public channels of a team, and the private ones that the caller can see. */
  private async listChannels(team: string, teamId: string): Promise<Iterable<Row>> {
    const path = `/teams/${teamId}/channels`;
    const rows = [
      ...(await tried(this.api.list(path))),
      ...(await tried(this.api.list(`${path}/private`))),
      ...(await tried(this.api.send('GET', `/users/me${path}`) as Promise<readonly Row[]>)),
    ];
    const own = rows.filter((row) => row['team_id'] === teamId && row['delete_at'] === 0);
    for (const { name, id } of own) this.channels.add(`${team}/${String(name)}`, id);
    return new Map(own.map((row) => [row['id'], row])).values();
  }

  private async readUsers(path: string, keys: readonly unknown[]): Promise<void> {
    const wanted = [...new Set(keys)];
    for (let start = 0; start < wanted.length; start += SLICE) {
      const users = (await this.api.send('POST', path, wanted.slice(start, start + SLICE))) as readonly Row[];
      for (const { username, id } of users) this.users.add(username, id);
    }
  }

  private foundOf(kind: KindName, row: Row): Found {
    const { key, fields: rules } = kindOf(kind);
    const values = { ...row, disabled: row['delete_at'] !== 0 }; // of a bot
    const fields = Object.entries(rules).map(([field, { api = field, fallback = null, decode }]) => {
      const value = (values as Row)[api] ?? fallback;
      return [field, decode ? decode(value as never, this.names) : value];
    });
    return {
      ...{ kind, team: this.teams.name(String(row['team_id'])) ?? '' },
      name: String(row[rules[key]?.api ?? key]),
      id: String(row['remote_id'] ?? row['id'] ?? row['user_id']),
      fields: Object.fromEntries(fields) as Fields,
    };
  }
}

/** Empty if the caller may not list these. */
async function tried(
  answer: Promise<readonly Row[]>,
  onRefusal?: (reason: string) => void,
): Promise<readonly Row[]> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof Refusal) || !OUT_OF_REACH.includes(error.status)) throw error;
    onRefusal?.(error.message);
    return [];
  }
}

/** An outgoing webhook of a private channel that the caller cannot read is shown without its token and URLs. */
function isUsable({ token, secrets_unreadable: isUnreadable }: Row): boolean {
  return token !== '' || isUnreadable === true;
}
