import { visible } from '../../platform/common/visible.js';
import {
  channel,
  choice,
  type Field,
  flag,
  integer,
  secretText,
  secretTexts,
  text,
  texts,
  time,
  user,
} from './field.js';
import { auth, headers, mayHoldKey, verifier } from './secret-fields.js';

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

/** The kinds of objects of a file, in the order in which they are created. */
export const KINDS = {
  bots: {
    ...{ title: 'bot', route: '/bots', key: 'username', isInTeam: false },
    fields: { display_name: text(''), description: text(''), owner: user('owner_id'), disabled: flag },
  },
  channels: {
    ...{ title: 'channel', route: '/channels', key: 'name', isInTeam: true },
    fields: {
      display_name: text(undefined, { isRequired: true }),
      type: choice({ public: 'O', private: 'P' }, 'public'),
      header: text(''),
      purpose: text(''),
    },
  },
  incoming_webhooks: {
    ...{ title: 'incoming webhook', route: '/hooks/incoming', key: 'name', isInTeam: true },
    fields: {
      name: text(undefined, { api: 'display_name' }),
      channel: channel({ isRequired: true }),
      owner: user('user_id'),
      description: text(''),
      username: text(''),
      icon_url: text(''),
      channel_locked: flag,
      keep_requests: flag,
      format: text('mattermost'),
      template: text(''),
      rate_limit: integer,
      expires_at: time,
      slack_path: secretText((path) => path !== ''),
      verifier,
    },
  },
  outgoing_webhooks: {
    ...{ title: 'outgoing webhook', route: '/hooks/outgoing', key: 'name', isInTeam: true },
    fields: {
      name: text(undefined, { api: 'display_name' }),
      channel: channel({ fallback: '' }),
      owner: user('creator_id'),
      description: text(''),
      events: texts('message.triggered'),
      trigger_words: texts(),
      trigger_when: integer,
      delivery: text('push'),
      callback_urls: secretTexts(mayHoldKey),
      content_type: text('application/x-www-form-urlencoded'),
      headers,
      auth,
      ordering: text(''),
      requests_per_second: integer,
      username: text(''),
      icon_url: text(''),
      bot: user('bot_user_id', ''),
      include_bots: flag,
    },
  },
  connections: {
    ...{ title: 'connection', route: '/remotecluster', key: 'name', isInTeam: false },
    fields: {
      display_name: text(),
      default_team: text(undefined, {
        api: 'default_team_id',
        encode: (name: string, ids) => ids.team(name),
        decode: (id: string, names) => names.team(id),
      }),
    },
  },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];
export const isWebhook = (kind: KindName): boolean => kind.endsWith('_webhooks');
/** Whether several objects can have the same name. */
export const hasId = (kind: KindName): boolean => isWebhook(kind) || kind === 'connections';
export const kindOf = (name: KindName): Kind => KINDS[name];

/** What names an object; `team` is empty if its kind is in no team. */
export interface Named {
  readonly kind: KindName;
  readonly team: string;
  readonly name: string;
}

/** How people call an object. */
export function labelOf({ kind, team, name }: Named): string {
  return `${kindOf(kind).title} ${team === '' ? '' : `${team}/`}${visible(name) || '(without a name)'}`;
}

/** A text that no other object has. */
export function keyOf({ kind, team, name }: Named, other = name): string {
  return `${kind} ${team}/${other}`;
}
