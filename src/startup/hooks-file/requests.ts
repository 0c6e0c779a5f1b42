import type { Inventory } from './inventory.js';
import { type Fields, kindOf } from './kinds.js';
import type { Step } from './plan.js';
import { mapped, Reference, referencesIn } from './reference.js';
import type { Row, ServerApi } from './server-api.js';

/** A webhook that gets another URL must get its secrets again, since they are not sent to new servers otherwise. */
const SENT_WITH_URLS = ['headers', 'auth'];

/** The secrets that a step sends. */
export function secretsOf(step: Step): readonly Reference[] {
  return referencesIn(sentFields(step));
}

function opened(value: unknown): unknown {
  return mapped(value, (part) => (part instanceof Reference ? part.value : undefined));
}

/** The fields that a step sends, and their new values. */
function sentFields({ action, changes, entry }: Step): Fields {
  if (!entry) return {};
  const isSent = (field: string): boolean =>
    action === 'create' ||
    changes.some((change) => change.field === field) ||
    (SENT_WITH_URLS.includes(field) &&
      changes.some((change) => change.field === 'callback_urls') &&
      referencesIn(entry.fields[field]).length > 0);
  return Object.fromEntries(
    Object.entries(entry.fields).filter(([field, value]) => value !== undefined && isSent(field)),
  );
}

/**
 * Does what a step says: one request per object, except that the type of a channel, and the owner and state of a bot, have
 * requests of their own. What is created can be referred to by later steps. Throws CommandRefused.
 */
export async function carryOut(step: Step, api: ServerApi, inventory: Inventory): Promise<void> {
  const { action, kind, team, name, found } = step;
  const { route, fields } = kindOf(kind);
  const path = `${route}/${found?.id}`;
  const encoded = ([field, value]: [string, unknown]): [string, unknown] => {
    const { api: apiName = field, encode } = fields[field] ?? {};
    return [apiName, encode ? encode(value as never, inventory.ids, team) : opened(value)];
  };
  const body = Object.fromEntries(Object.entries(sentFields(step)).map(encoded));
  if (action === 'delete') {
    await api.send('DELETE', path);
  } else if (kind === 'bots') {
    await saveBot(step, body, api, inventory);
  } else if (action === 'create') {
    const place = { team_id: inventory.ids.team(team), ...(kind === 'channels' && { name }) };
    const created = (await api.send('POST', route, { ...place, ...body })) as Row;
    if (kind === 'channels') inventory.channels.add(`${team}/${name}`, created['id']);
  } else if (kind === 'channels') {
    const { type, ...others } = body;
    if (type !== undefined) await api.send('PUT', `${path}/privacy`, { privacy: type });
    if (Object.keys(others).length > 0) await api.send('PUT', `${path}/patch`, others);
  } else {
    await api.send('PATCH', path, body);
  }
}

async function saveBot(
  { name, found }: Step,
  body: Fields,
  api: ServerApi,
  inventory: Inventory,
): Promise<void> {
  const { owner_id: owner, disabled, ...fields } = body;
  const created = found
    ? undefined
    : ((await api.send('POST', '/bots', { username: name, ...fields })) as Row);
  const id = found?.id ?? String(created?.['user_id']);
  const path = `/bots/${id}`;
  inventory.users.add(name, id);
  if (found && Object.keys(fields).length > 0) await api.send('PUT', path, fields);
  if (owner !== undefined && owner !== created?.['owner_id'])
    await api.send('POST', `${path}/assign/${owner as string}`);
  if (disabled !== undefined && (found || disabled === true))
    await api.send('POST', `${path}/${disabled === true ? 'disable' : 'enable'}`);
}
