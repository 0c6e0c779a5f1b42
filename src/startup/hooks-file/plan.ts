import { isDeepStrictEqual } from 'node:util';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import { isJsonObject } from '../../platform/common/json.js';
import type { Entry, HooksFile } from './hooks-file.js';
import { digestOf, type Found, type Inventory } from './inventory.js';
import { isWebhook, keyOf, KIND_NAMES, kindOf, type Named } from './kinds.js';
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
    file.yaml.check(entry?.path ?? [], () => {
      if (
        kind === 'outgoing_webhooks' &&
        action === 'change' &&
        changes.some(({ field }) => field === 'owner')
      )
        throw new Misfit('that of an outgoing webhook cannot change; delete the webhook first', ['owner']);
    });
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
function requireKnown({ yaml, teams, entries }: HooksFile, { ids, ...inventory }: Inventory): void {
  const own = new Set(entries.map((entry) => keyOf(entry)));
  const require = (isKnown: boolean, path: readonly (string | number)[], what: unknown): void =>
    void yaml.check(path, () => {
      if (!isKnown) throw new Misfit(`there is no ${JSON.stringify(what)} that you can see`);
    });
  teams.forEach((team, index) => require(ids.team(team) !== '', ['teams', index], team));
  for (const { kind, team, path, fields } of entries) {
    const { channel, owner, bot, default_team: defaultTeam } = fields as Partial<Record<string, string>>;
    if (channel)
      require(ids.channel(team, channel) !== '' ||
        own.has(keyOf({ kind: 'channels', team, name: channel })), [...path, 'channel'], channel);
    for (const [field, name] of Object.entries({ owner, bot }))
      if (name)
        require(inventory.users.ids.has(name) || own.has(keyOf({ kind: 'bots', team: '', name })), [
          ...path,
          field,
        ], name);
    if (kind === 'connections' && defaultTeam !== undefined)
      require(teams.includes(defaultTeam), [...path, 'default_team'], defaultTeam);
  }
}

/** The object of the server for each entry: by its id, else by its name, else by its previous name. */
function matched({ yaml, entries }: HooksFile, found: readonly Found[]): ReadonlyMap<Entry, Found> {
  const matches = new Map<Entry, Found>();
  const byName = new Map<string, Set<Found>>();
  for (const each of found) byName.set(keyOf(each), (byName.get(keyOf(each)) ?? new Set()).add(each));
  const byId = new Map(
    found.filter(({ kind }) => isWebhook(kind)).map((each) => [keyOf(each, digestOf(each)), each]),
  );
  const take = (entry: Entry, one: Found): void => {
    matches.set(entry, one);
    byName.get(keyOf(one))?.delete(one);
  };
  const takeNamed = (entry: Entry, name: string): void => {
    const [first, second] = byName.get(keyOf(entry, name)) ?? [];
    if (second)
      throw new Misfit('several webhooks have this name; an export writes the "id" of each', ['name']);
    if (first) take(entry, first);
  };
  const byRank = [...entries].sort((a, b) => Number(b.id !== undefined) - Number(a.id !== undefined));
  for (const entry of byRank)
    yaml.check(entry.path, () => {
      if (entry.id === undefined) return takeNamed(entry, entry.name);
      const one = byId.get(keyOf(entry, entry.id));
      if (!one) throw new Misfit('no webhook of this kind and team has it', ['id']);
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
