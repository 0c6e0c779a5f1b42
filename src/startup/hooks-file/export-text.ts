import { isDeepStrictEqual } from 'node:util';
import type { Refer } from './field.js';
import { VERSION } from './hooks-file.js';
import { digestOf, type Found, type Inventory } from './inventory.js';
import { isWebhook, KIND_NAMES, kindOf, labelOf } from './kinds.js';
import { SECRET_PREFIX } from './reference.js';

const HEADER = [
  ' Written by hookline export; docs/hooks-file.md describes the format.',
  ' Secrets are not here: apply reads the variables and files that {env: …} and {file: …} name.',
].join('\n');
const MAX_NAME = 150;

interface Exported {
  readonly yaml: string;
  /** What is not in it, and why. */
  readonly notes: readonly string[];
}

/** The objects of an inventory as YAML, in a stable order and without secrets. */
export async function exportText(
  inventory: Inventory,
  scope: { readonly isOneTeam: boolean },
): Promise<Exported> {
  const { Document, isMap, visit } = await import('yaml');
  const teams = [...inventory.reached].sort();
  const notes: string[] = [];
  const hooks = inventory.found.filter((found) => {
    if (!isWebhook(found.kind)) return false;
    if (found.fields['channel'] !== undefined) return true;
    notes.push(`${labelOf(found)} is left out: its channel is archived, or you cannot see it.`);
    return false;
  });
  const channels = new Set(hooks.map(({ team, fields }) => `${team}/${String(fields['channel'])}`));
  const accounts = new Set(hooks.flatMap(({ fields }) => [fields['owner'], fields['bot']]));
  const isNeeded = (found: Found): boolean => {
    if (found.kind === 'channels') return channels.has(`${found.team}/${found.name}`);
    if (found.kind === 'bots') return !scope.isOneTeam || accounts.has(found.name);
    return !scope.isOneTeam || teams.includes(String(found.fields['default_team']));
  };
  const chosen = [
    ...hooks,
    ...inventory.found.filter((found) => !isWebhook(found.kind) && isNeeded(found)),
  ].sort(
    (a, b) => compare(a.team, b.team) || compare(a.name, b.name) || compare(digestOf(a.id), digestOf(b.id)),
  );
  const write = writer(chosen);
  const sections = KIND_NAMES.map(
    (kind) => [kind, chosen.filter((found) => found.kind === kind).map(write)] as const,
  );
  const document = new Document({
    ...{ version: VERSION, teams },
    ...Object.fromEntries(sections.filter(([, list]) => list.length > 0)),
  });
  document.commentBefore = HEADER;
  visit(document, {
    Map: (_key, node) => {
      if (node.items.length === 1 && isMap(node) && node.has('env')) node.flow = true;
    },
  });
  return { yaml: document.toString({ lineWidth: 0 }), notes };
}

/** Writes objects without what has its default. Webhooks that share their name get an id. */
function writer(all: readonly Found[]): (found: Found) => object {
  const keyOf = ({ kind, team, name }: Found): string => `${kind} ${team}/${name}`;
  const counts = new Map<string, number>();
  for (const found of all) counts.set(keyOf(found), (counts.get(keyOf(found)) ?? 0) + 1);
  const variables = new Set<string>();
  return (found) => {
    const { kind, team, name, id, fields } = found;
    const { key, isInTeam, fields: rules } = kindOf(kind);
    const needsId = isWebhook(kind) && (name === '' || counts.get(keyOf(found)) !== 1);
    const refer: Refer = (part) => ({ env: uniqueName(`${team}_${name}_${part}`, variables) });
    const own = Object.entries(rules).filter(
      ([field, { fallback }]) => field !== key && !isDeepStrictEqual(fields[field], fallback),
    );
    return {
      ...(isInTeam && { team }),
      [key]: name,
      ...(needsId && { id: digestOf(id) }),
      ...Object.fromEntries(
        own
          .filter(([field]) => fields[field] !== undefined)
          .map(([field, { write }]) => [field, write ? write(fields[field] as never, refer) : fields[field]]),
      ),
    };
  };
}

function uniqueName(text: string, taken: Set<string>): string {
  const slug = text.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
  const base = `${SECRET_PREFIX}${slug.slice(0, MAX_NAME).replace(/^_/, '')}`;
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}_${count}`;
  taken.add(name);
  return name;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
