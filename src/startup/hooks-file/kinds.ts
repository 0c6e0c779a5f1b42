import { visible } from '../../platform/common/visible.js';
import {
  channel,
  choice,
  type Field,
  flag,
  integer,
  type NamelessField,
  requiredText,
  text,
  texts,
  time,
  user,
} from './field.js';
import { auth, headers, secretPath, urls, verifier } from './secret-fields.js';

/** The values of an object, by their names in the file. */
export type Fields = Readonly<Record<string, unknown>>;

interface Kind {
  readonly title: string;
  /** The route of its objects in the API. */
  readonly route: string;
  /** What names an object in the file. */
  readonly key: 'name' | 'username';
  readonly isInTeam: boolean;
  readonly fields: Readonly<Record<string, Field>>;
}

const named = (fields: Readonly<Record<string, NamelessField>>): Kind['fields'] =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { api: name, ...field }]));

/** Webhooks can be renamed. */
const webhook = (fields: Readonly<Record<string, NamelessField>>) => ({
  key: 'name' as const,
  isInTeam: true,
  fields: named({ name: text(undefined, { api: 'display_name' }), ...fields }),
});

/** The kinds of objects of a file, in the order in which they are created. */
export const KINDS = {
  bots: {
    ...{ title: 'bot', route: '/bots', key: 'username', isInTeam: false },
    fields: named({
      display_name: text(''),
      description: text(''),
      owner: user('owner_id'),
      disabled: flag(),
    }),
  },
  channels: {
    ...{ title: 'channel', route: '/channels', key: 'name', isInTeam: true },
    fields: named({
      display_name: requiredText(),
      type: choice({ public: 'O', private: 'P' }, 'public'),
      header: text(''),
      purpose: text(''),
    }),
  },
  incoming_webhooks: {
    ...{ title: 'incoming webhook', route: '/hooks/incoming' },
    ...webhook({
      channel: channel({ isRequired: true }),
      owner: user('user_id'),
      description: text(''),
      username: text(''),
      icon_url: text(''),
      channel_locked: flag(),
      keep_requests: flag(),
      format: text('mattermost'),
      template: text(''),
      rate_limit: integer(),
      expires_at: time(),
      slack_path: secretPath,
      verifier,
    }),
  },
  outgoing_webhooks: {
    ...{ title: 'outgoing webhook', route: '/hooks/outgoing' },
    ...webhook({
      channel: channel({ fallback: '' }),
      owner: user('creator_id'),
      description: text(''),
      events: texts(['message.triggered']),
      trigger_words: texts([]),
      trigger_when: integer(),
      delivery: text('push'),
      callback_urls: urls,
      content_type: text('application/x-www-form-urlencoded'),
      headers,
      auth,
      ordering: text(''),
      requests_per_second: integer(),
      username: text(''),
      icon_url: text(''),
      bot: user('bot_user_id', ''),
      include_bots: flag(),
    }),
  },
  connections: {
    ...{ title: 'connection', route: '/remotecluster', key: 'name', isInTeam: false },
    fields: named({
      display_name: text(),
      default_team: text(undefined, {
        api: 'default_team_id',
        encode: (name: string, ids) => ids.team(name),
        decode: (id: string, names) => names.team(id),
      }),
    }),
  },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];
export const isWebhook = (kind: KindName): boolean => kind.endsWith('_webhooks');
export const kindOf = (name: KindName): Kind => KINDS[name];

/** An object of the file. */
export interface Entry {
  readonly kind: KindName;
  /** Empty if its kind is in no team. */
  readonly team: string;
  readonly name: string;
  readonly line: number;
  /** A digest of the id of a webhook whose name is not unique. */
  readonly id?: string;
  readonly renamedFrom?: string;
  /** Those with a default are always here. */
  readonly fields: Fields;
}

/** How people call an object. */
export function labelOf({ kind, team, name }: Pick<Entry, 'kind' | 'team' | 'name'>): string {
  return `${kindOf(kind).title} ${team === '' ? '' : `${team}/`}${visible(name) || '(without a name)'}`;
}
