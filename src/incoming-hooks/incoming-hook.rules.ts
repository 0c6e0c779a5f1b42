import { RESERVED_USERNAMES } from '../messaging/users/user-rules.js';
import { ValidationFailed } from '../platform/common/errors/common-errors.js';
import type { Owned } from '../messaging/owners/owner-states.js';
import { isId } from '../platform/common/ids.js';
import { byteLength } from '../platform/common/utf8.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import { invalidHookUsername } from './incoming-hooks.errors.js';

const MAX_BYTES = { displayName: 64, description: 500, username: 64, iconUrl: 1024 } as const;

/** Maps a hook to its owner for owner state lookups. */
export const ownedBy = ({ userId, teamId }: IncomingHook): Owned => ({ ownerId: userId, teamId });

/** Throws `invalidHookUsername` for an invalid name (docs/contract/incoming-webhooks.md#record). */
export function requireValidUsername(username: string): void {
  if (username === '') return;
  if (!/^[a-z0-9._-]{1,64}$/.test(username) || RESERVED_USERNAMES.has(username)) throw invalidHookUsername();
}

/** Throws the first ValidationFailed in contract order (docs/contract/incoming-webhooks.md#record). */
export function requireValidHook(hook: IncomingHook): void {
  requireIdShape('user_id', hook.userId);
  requireIdShape('channel_id', hook.channelId);
  requireIdShape('team_id', hook.teamId);
  requireLength('display_name', hook.displayName, MAX_BYTES.displayName);
  requireLength('description', hook.description, MAX_BYTES.description);
  requireLength('username', hook.username, MAX_BYTES.username);
  requireLength('icon_url', hook.iconUrl, MAX_BYTES.iconUrl);
}

function requireIdShape(field: string, value: string): void {
  if (isId(value)) return;
  const reason = field === 'team_id' ? 'the channel belongs to no team.' : 'it is not an id.';
  throw new ValidationFailed(`model.incoming_hook.${field}.app_error`, field, reason);
}

function requireLength(field: string, value: string, maxBytes: number): void {
  if (byteLength(value) <= maxBytes) return;
  throw new ValidationFailed(
    `model.incoming_hook.${field}.app_error`,
    field,
    `it may have ${maxBytes} bytes at most.`,
  );
}
