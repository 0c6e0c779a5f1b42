import { createHash } from 'node:crypto';
import type { Field, Ids, Names } from './field.js';
import { type Fields, isWebhook, type KindName, kindOf } from './kinds.js';
import { Refusal, type Row, type ServerApi } from './server-api.js';

const DIGEST_LENGTH = 12;
const SLICE = 1_000;
/** What callers without the permission get, or if the feature is switched off. */
const OUT_OF_REACH = [403, 404, 501];
const USERS = ['user_id', 'creator_id', 'bot_user_id', 'owner_id'];

/** An object of the server, in the words of the file. */
export interface Found {
  readonly kind: KindName;
  readonly team: string;
  readonly name: string;
  readonly id: string;
  readonly fields: Fields;
}

/** What a file calls a webhook whose name is not unique: the id of an incoming webhook is a secret. */
export function digestOf(id: string): string {
  return createHash('sha256').update(`hookline ${id}`).digest('hex').slice(0, DIGEST_LENGTH);
}

/** Names and ids of the objects of one kind. */
class NamesAndIds {
  readonly ids = new Map<string, string>();
  private readonly names = new Map<string, string>();

  add(name: string, id: string): void {
    this.ids.set(name, id);
    this.names.set(id, name);
  }

  name(id: string): string | undefined {
    return this.names.get(id);
  }

  /** The callers have checked that the object exists. */
  id(name: string): string {
    return this.ids.get(name) ?? '';
  }
}

/** The objects of some teams that the caller can manage, and the names and ids of what they refer to. */
export class Inventory {
  readonly found: Found[] = [];
  /** Why some objects of a kind cannot be listed. */
  readonly refused = new Map<KindName, string>();
  /** The teams of which some objects can be listed. */
  readonly reached = new Set<string>();
  readonly teams = new NamesAndIds();
  readonly users = new NamesAndIds();
  private readonly channels = new NamesAndIds();

  readonly ids: Ids = {
    team: (name) => this.teams.id(name),
    channel: (team, name) => this.channels.id(`${team}/${name}`),
    user: (name) => this.users.id(name),
  };
  readonly names: Names = {
    team: (id) => this.teams.name(id),
    channel: (id) => this.channels.name(id)?.split('/')[1],
    user: (id) => this.users.name(id),
  };

  private constructor(private readonly api: ServerApi) {}

  /**
   * Reads channels and the objects of some kinds, and finds the accounts with some names. Of the teams, those with `names`
   * that exist, or all that the caller is in or can list. Throws CommandRefused.
   */
  static async read(
    api: ServerApi,
    names: Iterable<string> | undefined,
    kinds: Iterable<KindName>,
    usernames: readonly string[] = [],
  ): Promise<Inventory> {
    const inventory = new Inventory(api);
    await (names ? inventory.readTeams(names) : inventory.readAllTeams());
    const rows = new Map<KindName, readonly Row[]>([['channels', await inventory.readChannels()]]);
    for (const kind of kinds) if (kind !== 'channels') rows.set(kind, await inventory.list(kind));
    const users = [...rows.values()].flat().flatMap((row) => USERS.map((column) => row[column]));
    await inventory.readUsers('/users/ids', users.filter(Boolean));
    await inventory.readUsers('/users/usernames', usernames);
    for (const [kind, list] of rows)
      for (const row of list) inventory.found.push(inventory.foundOf(kind, row));
    return inventory;
  }

  hasChannel(team: string, name: string): boolean {
    return this.channels.ids.has(`${team}/${name}`);
  }

  addChannel(team: string, name: string, id: string): void {
    this.channels.add(`${team}/${name}`, id);
  }

  private async readTeams(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      const team = (await this.tried(() =>
        this.api.send('GET', `/teams/name/${encodeURIComponent(name)}`),
      )) as Row;
      if (team?.['name'] === name) this.teams.add(name, String(team['id']));
    }
  }

  private async readAllTeams(): Promise<void> {
    const own = (await this.api.send('GET', '/users/me/teams')) as readonly Row[];
    const all = (await this.tried(() => this.api.list('/teams'))) ?? [];
    for (const team of [...own, ...all])
      if (team['delete_at'] === 0) this.teams.add(String(team['name']), String(team['id']));
  }

  /** The public channels of the teams, and the private ones that the caller can see. */
  private async readChannels(): Promise<readonly Row[]> {
    const rows = new Map<unknown, Row>();
    for (const [team, teamId] of this.teams.ids) {
      const lists = [
        () => this.api.list(`/teams/${teamId}/channels`),
        () => this.api.list(`/teams/${teamId}/channels/private`),
        () => this.api.send('GET', `/users/me/teams/${teamId}/channels`) as Promise<Row[]>,
      ];
      for (const list of lists)
        for (const row of (await this.tried(list)) ?? []) {
          if (row['team_id'] !== teamId || row['delete_at'] !== 0) continue;
          rows.set(row['id'], row);
          this.addChannel(team, String(row['name']), String(row['id']));
        }
    }
    return [...rows.values()];
  }

  private async list(kind: KindName): Promise<readonly Row[]> {
    const { route } = kindOf(kind);
    const listed = (path: string, cursor?: string) =>
      this.tried(
        () => this.api.list(path, cursor),
        (reason) => this.refused.set(kind, reason),
      );
    if (kind === 'bots') {
      const bots = (await listed(`${route}?include_deleted=true`)) ?? [];
      return bots.map((bot) => ({ ...bot, disabled: bot['delete_at'] !== 0 }));
    }
    if (!isWebhook(kind)) return (await listed(route)) ?? [];
    const rows: Row[] = [];
    for (const [team, teamId] of this.teams.ids) {
      const hooks = await listed(`${route}?team_id=${teamId}`, 'id');
      if (hooks) this.reached.add(team);
      rows.push(...(hooks ?? []).filter(isUsable));
    }
    return rows;
  }

  private async readUsers(path: string, keys: readonly unknown[]): Promise<void> {
    const wanted = [...new Set(keys)];
    for (let start = 0; start < wanted.length; start += SLICE) {
      const users = (await this.api.send('POST', path, wanted.slice(start, start + SLICE))) as readonly Row[];
      for (const user of users) this.users.add(String(user['username']), String(user['id']));
    }
  }

  private foundOf(kind: KindName, row: Row): Found {
    const { key, fields } = kindOf(kind);
    const decoded = ({ api, fallback, decode }: Field): unknown => {
      const value = row[api] ?? fallback ?? null;
      return decode ? decode(value as never, this.names) : value;
    };
    return {
      kind,
      team: this.teams.name(String(row['team_id'])) ?? '',
      name: String(row[isWebhook(kind) ? 'display_name' : key]),
      id: String(row['remote_id'] ?? row['id'] ?? row['user_id']),
      fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, decoded(field)])),
    };
  }

  /** Undefined if the caller may not do this. */
  private async tried<T>(
    action: () => Promise<T>,
    onRefusal?: (reason: string) => void,
  ): Promise<T | undefined> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Refusal) || !OUT_OF_REACH.includes(error.status)) throw error;
      onRefusal?.(error.message);
      return undefined;
    }
  }
}

/** An outgoing webhook of a private channel that the caller cannot read is shown without its token and URLs. */
function isUsable({ token, secrets_unreadable: isUnreadable }: Row): boolean {
  return token !== '' || isUnreadable === true;
}
