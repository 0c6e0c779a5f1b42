import { isDeepStrictEqual } from 'node:util';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import { isJsonObject } from '../../platform/common/json.js';
import type { Entry, HooksFile } from './hooks-file.js';
import { digestOf, type Found, type Inventory } from './inventory.js';
import { hasId, isWebhook, keyOf, KIND_NAMES, type KindName, kindOf, type Named } from './kinds.js';
import { Reference, referencesIn } from './reference.js';
import { Misfit } from './yaml-file.js';

/**
 * `missing` is a connection that a file cannot create, and `unmanaged` a webhook that is not in the file; an apply leaves
 * both alone.
 */
export type Action = 'delete' | 'create' | 'change' | 'missing' | 'unmanaged';

/** A field that differs, or whose secret is sent again. */
export interface Change {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
  readonly isResent?: boolean;
}

/** What an apply does with one object. */
export interface Step extends Named {
  readonly action: Action;
  readonly entry?: Entry;
  readonly found?: Found;
  readonly changes: readonly Change[];
}

export interface PlanOptions {
  /** Whether webhooks that the file does not know are deleted. */
  readonly prune: boolean;
  /** Whether all secrets are sent again. */
  readonly secrets: boolean;
}

/** Compares a file with the server. Throws CommandRefused, with the lines of what the file has wrong. */
export function planOf(
  file: HooksFile,
  inventory: Inventory,
  { prune, secrets }: PlanOptions,
): readonly Step[] {
  for (const kind of file.kinds) {
    const reason = inventory.refused.get(kind);
    if (reason !== undefined)
      throw new CommandRefused(`The ${kindOf(kind).title}s cannot be listed. ${reason}`);
  }
  requireKnown(file, inventory);
  const matches = matched(file, inventory.found);
  file.yaml.refuseIfFaulty();
  const steps = file.entries.map((entry) => stepOf(entry, matches.get(entry), secrets));
  for (const { kind, action, entry, changes } of steps)
    if (
      entry &&
      kind === 'outgoing_webhooks' &&
      action === 'change' &&
      changes.some(({ field }) => field === 'owner')
    )
      file.yaml.add(
        [...entry.path, 'owner'],
        'that of an outgoing webhook cannot change; delete the webhook first',
      );
  file.yaml.refuseIfFaulty();
  const known = new Set(matches.values());
  const others = inventory.found
    .filter((found) => isWebhook(found.kind) && file.kinds.has(found.kind) && !known.has(found))
    .map((found): Step => ({ ...headOf(found), action: prune ? 'delete' : 'unmanaged', found, changes: [] }));
  const different = steps.filter(({ action, changes }) => action !== 'change' || changes.length > 0);
  return [...different, ...others].sort((a, b) => rankOf(a) - rankOf(b));
}

/** What is deleted makes room for what is created; bots and channels come before the webhooks that use them. */
function rankOf({ action, kind }: Step): number {
  const group = ['delete', 'create change', 'missing', 'unmanaged'].findIndex((each) =>
    each.includes(action),
  );
  return group * KIND_NAMES.length + KIND_NAMES.indexOf(kind);
}

/** Finds teams, channels and accounts that are neither on the server nor in the file. */
function requireKnown({ yaml, teams, entries }: HooksFile, { ids }: Inventory): void {
  const own = new Set(entries.map((entry) => keyOf(entry)));
  const require = (
    name: string,
    path: readonly (string | number)[],
    id: string,
    kind: KindName,
    team = '',
  ): void => {
    if (name !== '' && id === '' && !own.has(keyOf({ kind, team, name })))
      yaml.add(path, `there is no ${JSON.stringify(name)} that you can see`);
  };
  teams.forEach((team, index) => require(team, ['teams', index], ids.team(team), 'channels'));
  for (const { team, path, fields } of entries) {
    const {
      channel = '',
      owner = '',
      bot = '',
      default_team: home = '',
    } = fields as Partial<Record<string, string>>;
    require(channel, [...path, 'channel'], ids.channel(team, channel), 'channels', team);
    require(owner, [...path, 'owner'], ids.user(owner), 'bots');
    require(bot, [...path, 'bot'], ids.user(bot), 'bots');
    require(home, [...path, 'default_team'], ids.team(home), 'channels');
  }
}

/** The object of the server for each entry: by its id, else by its name, else by its previous name. */
function matched({ yaml, entries }: HooksFile, found: readonly Found[]): ReadonlyMap<Entry, Found> {
  const matches = new Map<Entry, Found>();
  const byName = new Map<string, Set<Found>>();
  for (const each of found) byName.set(keyOf(each), (byName.get(keyOf(each)) ?? new Set()).add(each));
  const byId = new Map(
    found.filter(({ kind }) => hasId(kind)).map((each) => [keyOf(each, digestOf(each)), each]),
  );
  const take = (entry: Entry, one: Found): void => {
    matches.set(entry, one);
    byName.get(keyOf(one))?.delete(one);
  };
  const takeNamed = (entry: Entry, name: string): void => {
    const [first, second] = byName.get(keyOf(entry, name)) ?? [];
    if (second)
      throw new Misfit('several objects have this name; an export writes the "id" of each', ['name']);
    if (first) take(entry, first);
  };
  const byRank = [...entries].sort((a, b) => Number(b.id !== undefined) - Number(a.id !== undefined));
  for (const entry of byRank)
    yaml.check(entry.path, () => {
      if (entry.id === undefined) return takeNamed(entry, entry.name);
      const one = byId.get(keyOf(entry, entry.id));
      if (!one) throw new Misfit('no object on the server has this id', ['id']);
      take(entry, one);
    });
  for (const entry of entries)
    if (entry.renamedFrom !== undefined && !matches.has(entry))
      yaml.check(entry.path, () => takeNamed(entry, entry.renamedFrom ?? ''));
  return matches;
}

function stepOf(entry: Entry, found: Found | undefined, isResent: boolean): Step {
  const { kind, fields } = entry;
  const { fields: rules } = kindOf(kind);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (!found) {
    const set = given.filter(
      ([field, value]) => field !== 'name' && !isDeepStrictEqual(value, rules[field]?.fallback),
    );
    const changes = set.map(([field, value]) => ({ field, old: undefined, new: value }));
    const action = kind === 'connections' ? 'missing' : 'create';
    return { ...headOf(entry), action, entry, changes: action === 'create' ? changes : [] };
  }
  const changes = given.flatMap(([field, value]): readonly Change[] => {
    const old = found.fields[field];
    if (!isSame(value, old)) return [{ field, old, new: value }];
    return isResent && referencesIn(value).length > 0 ? [{ field, old, new: value, isResent }] : [];
  });
  return { ...headOf(entry), action: 'change', entry, found, changes };
}

function headOf({ kind, team, name }: Named): Named {
  return { kind, team, name };
}

/** Secrets that the server does not show, or that have no value here, cannot be compared. */
function isSame(wanted: unknown, found: unknown): boolean {
  if (wanted instanceof Reference) return [wanted.value, found].includes(undefined) || wanted.value === found;
  if (Array.isArray(wanted) && Array.isArray(found))
    return wanted.length === found.length && wanted.every((each, index) => isSame(each, found[index]));
  if (!isJsonObject(wanted) || !isJsonObject(found)) return wanted === found;
  return Object.keys({ ...wanted, ...found }).every((key) => isSame(wanted[key], found[key]));
}
