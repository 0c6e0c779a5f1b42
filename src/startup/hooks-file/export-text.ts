import { isDeepStrictEqual } from 'node:util';
import { VERSION } from './hooks-file.js';
import { digestOf, type Found, type Inventory } from './inventory.js';
import { hasId, isWebhook, keyOf, KIND_NAMES, kindOf, labelOf } from './kinds.js';
import { mapped, SECRET_PREFIX } from './reference.js';

const HEADER = ` Written by hookline export. docs/hooks-file.md describes the format.
 Secrets are not here: apply reads the variables and files that {env: …} and {file: …} name.`;
const MAX_NAME = 150;

interface Exported {
  readonly yaml: string;
  /** What is not in it, and why. */
  readonly notes: readonly string[];
}

/** The webhooks of an inventory and what they need as YAML, in a stable order and without secrets. */
export async function exportText(inventory: Inventory, isOneTeam: boolean): Promise<Exported> {
  const { Document, visit } = await import('yaml');
  const teams = [...inventory.reached].sort();
  const hooks = inventory.found.filter(({ kind }) => isWebhook(kind));
  const isKnown = ({ fields }: Found): boolean => fields['channel'] !== undefined;
  const used = new Set(hooks.map(({ team, fields }) => `${team}/${String(fields['channel'])}`));
  const accounts = new Set(hooks.flatMap(({ fields }) => [fields['owner'], fields['bot']]));
  const isNeeded = (found: Found): boolean => {
    if (isWebhook(found.kind)) return isKnown(found);
    if (found.kind === 'channels') return used.has(`${found.team}/${found.name}`);
    return !isOneTeam || accounts.has(found.name) || teams.includes(String(found.fields['default_team']));
  };
  const sortKey = (found: Found): string => [found.team, found.name, digestOf(found)].join('\0');
  const chosen = inventory.found.filter(isNeeded).sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const write = writer(chosen);
  const sections = KIND_NAMES.map(
    (kind) => [kind, chosen.filter((found) => found.kind === kind).map(write)] as const,
  );
  const document = new Document({
    ...{ version: VERSION, teams },
    ...Object.fromEntries(sections.filter(([, list]) => list.length > 0)),
  });
  document.commentBefore = HEADER;
  visit(document, { Map: (_key, map) => void (map.flow = map.has('env')) });
  const unknown = hooks.filter((found) => !isKnown(found)).map(labelOf);
  return {
    yaml: document.toString({ lineWidth: 0 }),
    notes: unknown.map((label) => `${label} is left out: its channel is archived, or you cannot see it.`),
  };
}

/** Writes objects without what has its default. Webhooks that share their name get an id. */
function writer(all: readonly Found[]): (found: Found) => object {
  const counts = new Map<string, number>();
  for (const found of all) counts.set(keyOf(found), (counts.get(keyOf(found)) ?? 0) + 1);
  const variables = new Set<string>();
  return (found) => {
    const { kind, team, name, fields } = found;
    const { key, isInTeam, fields: rules } = kindOf(kind);
    const refer = (part: string) => ({ env: uniqueName(`${team}_${name}_${part}`, variables) });
    const needsId = hasId(kind) && (name === '' || counts.get(keyOf(found)) !== 1);
    const own = Object.entries(fields).flatMap(([field, value]): readonly (readonly [string, unknown])[] => {
      const { fallback, write, isSecret } = rules[field] ?? {};
      if (field === key || value === undefined || isDeepStrictEqual(value, fallback)) return [];
      const hidden = (part: unknown) =>
        typeof part === 'string' && isSecret?.(part) ? refer(field) : undefined;
      return [[field, write ? write(value as never, refer) : mapped(value, hidden)]];
    });
    return {
      ...{ ...(isInTeam && { team }), [key]: name, ...(needsId && { id: digestOf(found) }) },
      ...Object.fromEntries(own),
    };
  };
}

function uniqueName(text: string, taken: Set<string>): string {
  const slug = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, MAX_NAME);
  let name = SECRET_PREFIX + slug;
  for (let count = 2; taken.has(name); count++) name = `${SECRET_PREFIX}${slug}_${count}`;
  taken.add(name);
  return name;
}
