import type { Channel } from '../../../messaging/channels/channel.entity.js';
import type { Team } from '../../../messaging/teams/team.entity.js';
import type { User } from '../../../messaging/users/user.entity.js';
import { isRocketChatPath } from '../../../incoming-hooks/alias-paths.js';
import { PAYLOAD_FORMAT } from '../../../incoming-hooks/formats/formats.js';
import type { IncomingHook } from '../../../incoming-hooks/incoming-hook.entity.js';
import { requireValidHook as requireValidIncoming } from '../../../incoming-hooks/incoming-hook.rules.js';
import { NO_CREDENTIALS } from '../../../outgoing-hooks/credentials/hook-credentials.js';
import { TRIGGERED } from '../../../outgoing-hooks/events/hook-events.js';
import { requireTriggers } from '../../../outgoing-hooks/outgoing-hook.checks.js';
import type { OutgoingHook } from '../../../outgoing-hooks/outgoing-hook.entity.js';
import { HEALTHY } from '../../../outgoing-hooks/outgoing-hook-records.js';
import {
  JSON_TYPE,
  requireValidHook as requireValidOutgoing,
} from '../../../outgoing-hooks/outgoing-hook.rules.js';
import { newSigningSecret } from '../../../outgoing-hooks/outgoing-hook-secrets.js';
import { idOf, newId } from '../../../platform/common/ids.js';
import type { Integration } from './integration.js';

/** Why an integration is not imported. */
export class LeftOut extends Error {}

/** What an integration refers to here. */
export interface Place {
  readonly team: Team;
  readonly owner: User;
  readonly now: number;
  readonly findChannel: (name: string) => Promise<Channel | undefined>;
}

const MAX_TOKEN_LENGTH = 128;
const MAX_CALLBACK_URLS = 20;
const ALL_PUBLIC = 'all_public_channels';
const described = (reason: string | undefined): string =>
  `Imported from Rocket.Chat${reason === undefined ? '.' : `; paused, because ${reason}.`}`;

/** The webhook of an incoming integration, whose URL it keeps. Throws LeftOut and ValidationFailed. */
export async function incomingHookOf(integration: Integration, place: Place): Promise<IncomingHook> {
  const { id: rocketChatId, token, channels, pausedBecause, notes } = integration;
  const aliasPath = `${rocketChatId}/${token}`;
  if (!isRocketChatPath(aliasPath))
    throw new LeftOut('its _id or token is missing, or is not one of Rocket.Chat');
  const [channel, ...others] = await existing(channels, place, notes);
  if (!channel) throw new LeftOut(noChannel(channels, place));
  if (others.length > 0) notes.push(`it posts only to ${channel.name}: a webhook has one channel`);
  const id = idOf(aliasPath);
  const hook: IncomingHook = {
    id,
    originId: id,
    ...{ createAt: place.now, updateAt: place.now, deleteAt: 0, lastUsed: 0 },
    ...{ userId: place.owner.id, makerId: place.owner.id, channelId: channel.id, teamId: place.team.id },
    ...integration.look(),
    description: described(pausedBecause),
    channelLocked: integration.is('overrideDestinationChannelEnabled') === false,
    keepRequests: false,
    ...{ format: PAYLOAD_FORMAT, template: '', aliasPath, rateLimit: 0 },
    ...{ expiresAt: pausedBecause === undefined ? 0 : place.now, expiryReminders: 0 },
    ...{ verifier: null, sealedVerifierSecrets: '' },
  };
  requireValidIncoming(hook);
  return hook;
}

/**
 * The webhooks of an outgoing integration, one for each of its channels, with its token. Sealed columns are plain
 * text. Throws LeftOut and ValidationFailed.
 */
export async function outgoingHooksOf(integration: Integration, place: Place): Promise<OutgoingHook[]> {
  const { notes, pausedBecause } = integration;
  const event = integration.text('event') || 'sendMessage';
  if (event !== 'sendMessage') throw new LeftOut(`its event is ${event}, which webhooks do not have here`);
  const callbackUrls = [...new Set(integration.texts('urls').filter(Boolean))];
  if (callbackUrls.length > MAX_CALLBACK_URLS)
    notes.push(`only its first ${MAX_CALLBACK_URLS} URLs are called`);
  const isPaused = pausedBecause !== undefined;
  if (integration.text('targetRoom') !== '') notes.push('replies are posted to the channel of the message');
  if (integration.is('runOnEdits')) notes.push('edited messages are not sent');
  const urls = callbackUrls.slice(0, MAX_CALLBACK_URLS);
  const token = integration.token.slice(0, MAX_TOKEN_LENGTH) || newId();
  const shared = {
    ...{ createAt: place.now, updateAt: place.now, deleteAt: 0 },
    ...{ creatorId: place.owner.id, setBy: place.owner.id, teamId: place.team.id },
    triggerWords: integration.texts('triggerWords').filter(Boolean),
    triggerWhen: integration.is('triggerWordAnywhere') ? 0 : 1,
    callbackUrls: urls,
    ...integration.look(),
    description: described(pausedBecause),
    contentType: JSON_TYPE,
    ...{ sealedToken: token, sealedSigningSecret: newSigningSecret() },
    ...{ sealedPreviousSecret: '', previousSigningUntil: 0 },
    ...HEALTHY,
    ...(isPaused && {
      disabledAt: place.now,
      disabledReason: `Imported: ${pausedBecause}.`,
      disabledUrls: urls,
    }),
    ...{ enabledAt: 0, announcedPause: '', ...NO_CREDENTIALS },
    ...{ events: [TRIGGERED], botUserId: '', includeBots: false },
    ...{ delivery: 'push' as const, ordering: '', requestsPerSecond: 0 },
  };
  const hooks = (await channelIdsOf(integration, place)).map((channelId) => ({
    ...shared,
    id: idOf(`rocketchat ${integration.id} ${channelId}`),
    channelId,
  }));
  for (const hook of hooks) {
    requireTriggers(hook);
    requireValidOutgoing(hook);
  }
  return hooks;
}

/** The ids of the channels of an outgoing integration; an empty one is the whole team. */
async function channelIdsOf({ channels, notes }: Integration, place: Place): Promise<string[]> {
  if (channels.length === 0 || channels.includes(ALL_PUBLIC)) {
    const others = channels.filter((name) => name !== ALL_PUBLIC && !name.startsWith('#'));
    if (others.length > 0) notes.push(`messages of ${others.join(', ')} are not sent`);
    return [''];
  }
  const found = await existing(channels, place, notes);
  if (found.length === 0) throw new LeftOut(noChannel(channels, place));
  return found.map(({ id }) => id);
}

/** The channels that exist here, without those that are named twice. */
async function existing(names: readonly string[], place: Place, notes: string[]): Promise<Channel[]> {
  const found = new Map<string, Channel>();
  const missing: string[] = [];
  for (const name of names) {
    const channel = name.startsWith('#') ? await place.findChannel(name.slice(1).toLowerCase()) : undefined;
    if (channel) found.set(channel.id, channel);
    else missing.push(name);
  }
  if (found.size > 0 && missing.length > 0)
    notes.push(`without ${missing.join(', ')}, which do not exist here`);
  return [...found.values()];
}

const noChannel = (names: readonly string[], { team }: Place): string =>
  names.length === 0
    ? 'it has no channel'
    : `the team ${team.name} has no channel ${names.join(', ')}; direct messages are not possible`;
