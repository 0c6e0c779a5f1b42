import { isDeepStrictEqual } from 'node:util';
import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import type { Faults } from './faults.js';
import type { Field } from './field.js';
import type { HooksFile } from './hooks-file.js';
import { digestOf, type Found, type Inventory } from './inventory.js';
import { type Entry, isWebhook, KIND_NAMES, type KindName, kindOf } from './kinds.js';
import { Reference, referencesIn } from './reference.js';

/**
 * `missing` is a connection that a file cannot create, and `unmanaged` a webhook that is not in the file; an apply leaves
 * both alone.
 */
export type Action = 'create' | 'change' | 'delete' | 'missing' | 'unmanaged';

/** A field that differs. For a secret that is only sent again, `isResent`. */
export interface Change {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
  readonly isResent?: boolean;
}

/** What an apply does with one object. */
export interface Step {
  readonly action: Action;
  readonly kind: KindName;
  readonly team: string;
  readonly name: string;
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
  options: PlanOptions,
  faults: Faults,
): readonly Step[] {
  for (const kind of file.kinds) {
    const reason = inventory.refused.get(kind);
    if (reason !== undefined)
      throw new CommandRefused(`The ${kindOf(kind).title}s cannot be listed. ${reason}`);
  }
  requireKnown(file, inventory, faults);
  const matches = matched(file.entries, inventory.found, faults);
  faults.throwIfAny();
  const steps = file.entries.map((entry) => stepOf(entry, matches.get(entry), options));
  const known = new Set(matches.values());
  const others = inventory.found
    .filter((found) => isWebhook(found.kind) && file.kinds.has(found.kind) && !known.has(found))
    .map((found): Step => ({
      ...headOf(found),
      action: options.prune ? 'delete' : 'unmanaged',
      found,
      changes: [],
    }));
  for (const { action, kind, entry, changes } of steps)
    if (
      entry &&
      action === 'change' &&
      kind === 'outgoing_webhooks' &&
      changes.some(({ field }) => field === 'owner')
    )
      faults.add(entry.line, 'owner: that of an outgoing webhook cannot change; delete the webhook first');
  faults.throwIfAny();
  const order: readonly Action[] = ['delete', 'create', 'missing', 'unmanaged'];
  const rank = ({ action, kind }: Step): number =>
    order.indexOf(action === 'change' ? 'create' : action) * KIND_NAMES.length + KIND_NAMES.indexOf(kind);
  return [
    ...steps.filter(({ action, changes }) => action !== 'change' || changes.length > 0),
    ...others,
  ].sort((a, b) => rank(a) - rank(b));
}

/** Adds a fault for each name of a team, channel or account that is neither on the server nor in the file. */
function requireKnown({ teams, entries }: HooksFile, inventory: Inventory, faults: Faults): void {
  for (const [team, line] of teams)
    if (!inventory.teams.ids.has(team))
      faults.add(line, `there is no team ${JSON.stringify(team)} that you can see`);
  const own = new Set(entries.map(({ kind, team, name }) => `${kind} ${team}/${name}`));
  for (const { kind, team, line, fields } of entries) {
    const { channel, owner, bot, default_team: defaultTeam } = fields;
    const isChannel =
      inventory.hasChannel(team, String(channel)) || own.has(`channels ${team}/${String(channel)}`);
    if (isWebhook(kind) && channel !== '' && !isChannel)
      faults.add(
        line,
        `channel: there is no ${JSON.stringify(channel)} that you can see, and none in the file`,
      );
    for (const [field, name] of Object.entries({ owner, bot }))
      if (name && !inventory.users.ids.has(String(name)) && !own.has(`bots /${String(name)}`))
        faults.add(line, `${field}: there is no account ${JSON.stringify(name)}`);
    if (defaultTeam !== undefined && !teams.has(String(defaultTeam)))
      faults.add(line, 'default_team: it is not listed in "teams"');
  }
}

/** The object of the server for each entry: by its id, else by its name, else by its previous name. */
function matched(
  entries: readonly Entry[],
  found: readonly Found[],
  faults: Faults,
): ReadonlyMap<Entry, Found> {
  const matches = new Map<Entry, Found>();
  const byName = new Map<string, Set<Found>>();
  const byId = new Map<string, Found>();
  const keyOf = ({ kind, team }: Entry | Found, name: string): string => `${kind} ${team}/${name}`;
  for (const each of found) {
    const key = keyOf(each, each.name);
    byName.set(key, (byName.get(key) ?? new Set()).add(each));
    if (isWebhook(each.kind)) byId.set(keyOf(each, digestOf(each.id)), each);
  }
  const take = (entry: Entry, one: Found): void => {
    matches.set(entry, one);
    byName.get(keyOf(one, one.name))?.delete(one);
  };
  const takeNamed = (entry: Entry, name: string): void => {
    const [first, second] = byName.get(keyOf(entry, name)) ?? [];
    if (second)
      faults.add(
        entry.line,
        `several ${kindOf(entry.kind).title}s have this name; an export writes the "id" of each`,
      );
    else if (first) take(entry, first);
  };
  for (const entry of entries) {
    if (entry.id === undefined) continue;
    const one = byId.get(keyOf(entry, entry.id));
    if (one) take(entry, one);
    else faults.add(entry.line, `id: no ${kindOf(entry.kind).title} of this team has it`);
  }
  for (const entry of entries) if (entry.id === undefined) takeNamed(entry, entry.name);
  for (const entry of entries)
    if (entry.renamedFrom !== undefined && !matches.has(entry)) takeNamed(entry, entry.renamedFrom);
  return matches;
}

function stepOf(entry: Entry, found: Found | undefined, { secrets }: PlanOptions): Step {
  const { fields } = entry;
  const common = { ...headOf(entry), entry };
  if (!found) {
    const isMissing = entry.kind === 'connections';
    const set = Object.entries(fields).filter(
      ([name, value]) =>
        value !== undefined && !isDeepStrictEqual(value, kindOf(entry.kind).fields[name]?.fallback),
    );
    const changes = set.map(([field, value]) => ({ field, old: undefined, new: value }));
    return { ...common, action: isMissing ? 'missing' : 'create', changes: isMissing ? [] : changes };
  }
  const changes = Object.entries(fields).flatMap(([field, value]): readonly Change[] => {
    const rule = kindOf(entry.kind).fields[field];
    const old = found.fields[field];
    if (!rule || value === undefined) return [];
    if (!isSame(comparedBy(rule, value), comparedBy(rule, old))) return [{ field, old, new: value }];
    const isHidden = rule.compared !== undefined && referencesIn(value).length > 0;
    return secrets && isHidden ? [{ field, old, new: value, isResent: true }] : [];
  });
  return { ...common, action: 'change', found, changes };
}

function headOf({ kind, team, name }: Entry | Found): Pick<Step, 'kind' | 'team' | 'name'> {
  return { kind, team, name };
}

function comparedBy({ compared }: Field, value: unknown): unknown {
  return compared ? compared(value as never) : value;
}

/** A reference without a value cannot be compared. */
function isSame(wanted: unknown, found: unknown): boolean {
  if (wanted instanceof Reference) return wanted.value === undefined || wanted.value === found;
  if (!Array.isArray(wanted) || !Array.isArray(found)) return isDeepStrictEqual(wanted, found);
  return wanted.length === found.length && wanted.every((each, index) => isSame(each, found[index]));
}
