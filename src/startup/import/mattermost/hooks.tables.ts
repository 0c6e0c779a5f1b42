import { isInternalUrl } from '../../../delivery/outbound/address-guard.js';
import { PAYLOAD_FORMAT } from '../../../incoming-hooks/formats/formats.js';
import { FORM_TYPE, JSON_TYPE, MAX_JOINED_BYTES } from '../../../outgoing-hooks/outgoing-hook.rules.js';
import { newSigningSecret } from '../../../outgoing-hooks/outgoing-hook-secrets.js';
import { byteLength } from '../../../platform/common/utf8.js';
import { Left, type TableImport } from './table-import.js';

const MAX_CALLBACK_URLS = 20;
const PRIVATE_CHANNEL = 'Imported: its channel is private, so Mattermost did not call it.';
/** `trigger_when` for "the first word equals a trigger", which is 0 in Mattermost and anywhere in the message here. */
const FIRST_WORD_EQUALS = 2;

export const incomingTable: TableImport<'IncomingHook'> = {
  from: 'IncomingWebhooks',
  to: 'IncomingHook',
  key: ['Id'],
  keyHere: ['id'],
  name: 'DisplayName',
  columns: [
    ...[
      'Id',
      'CreateAt',
      'UpdateAt',
      'DeleteAt',
      'UserId',
      'ChannelId',
      'TeamId',
      'DisplayName',
      'Description',
    ],
    ...['Username', 'IconURL', 'ChannelLocked', 'LastUsed'],
  ],
  kept: [
    ...([
      'makerId',
      'keepRequests',
      'lastUsed',
      'format',
      'template',
      'expiresAt',
      'expiryReminders',
    ] as const),
    ...(['aliasPath', 'rateLimit', 'originId', 'verifier', 'sealedVerifierSecrets'] as const),
  ],
  map(fields, world) {
    const [id, userId, teamId] = [fields.id('Id'), fields.id('UserId'), fields.id('TeamId')];
    if (id === '') return new Left('malformed id');
    if (!world.teams.has(teamId)) return new Left('the team does not exist');
    const channelId = fields.id('ChannelId');
    if (!world.users.has(userId)) fields.note('webhook without an owner: it does not work until it gets one');
    if (!world.channels.has(channelId)) fields.note('webhook without a channel: set one');
    return {
      id,
      createAt: fields.time('CreateAt'),
      updateAt: fields.time('UpdateAt'),
      deleteAt: fields.time('DeleteAt'),
      userId,
      channelId,
      teamId,
      displayName: fields.bytes('DisplayName', 64),
      description: fields.bytes('Description', 500),
      username: fields.bytes('Username', 64),
      iconUrl: fields.bytes('IconURL', 1024),
      channelLocked: fields.flag('ChannelLocked'),
      keepRequests: false,
      lastUsed: fields.time('LastUsed'),
      format: PAYLOAD_FORMAT,
      template: '',
      makerId: userId,
      expiresAt: 0,
      expiryReminders: 0,
      aliasPath: id,
      rateLimit: 0,
      originId: id,
      verifier: null,
      sealedVerifierSecrets: '',
    };
  },
};

export const outgoingTable: TableImport<'OutgoingHook'> = {
  from: 'OutgoingWebhooks',
  to: 'OutgoingHook',
  key: ['Id'],
  keyHere: ['id'],
  name: 'DisplayName',
  columns: [
    ...[
      'Id',
      'Token',
      'CreateAt',
      'UpdateAt',
      'DeleteAt',
      'CreatorId',
      'ChannelId',
      'TeamId',
      'TriggerWords',
    ],
    ...['CallbackURLs', 'DisplayName', 'ContentType', 'TriggerWhen', 'Username', 'IconURL', 'Description'],
  ],
  kept: [
    ...([
      'setBy',
      'sealedSigningSecret',
      'sealedPreviousSecret',
      'previousSigningUntil',
      'disabledAt',
    ] as const),
    ...(['disabledReason', 'disabledUrls', 'failingUrls', 'lastFailureAt', 'enabledAt'] as const),
    ...(['announcedPause', 'headers', 'sealedHeaders', 'auth', 'sealedAuth', 'events', 'botUserId'] as const),
    ...(['includeBots', 'delivery', 'ordering', 'requestsPerSecond'] as const),
  ],
  map(fields, world) {
    const [id, teamId] = [fields.id('Id'), fields.id('TeamId')];
    if (id === '') return new Left('malformed id');
    if (!world.teams.has(teamId)) return new Left('the team does not exist');
    const [creatorId, token] = [fields.id('CreatorId'), fields.text('Token', 26)];
    if (token === '') return new Left('no token');
    if (!world.users.has(creatorId))
      fields.note('webhook without an owner: it does not work until it gets one');
    const channelId = fields.text('ChannelId');
    const channel = world.channels.get(channelId);
    if (channelId !== '' && !channel) return new Left('the channel does not exist');
    const listed = fields
      .list('CallbackURLs')
      .map((url) => url.trim())
      .filter(Boolean);
    const callbackUrls = listed
      .filter((url) => byteLength(url) <= MAX_JOINED_BYTES)
      .slice(0, MAX_CALLBACK_URLS);
    if (callbackUrls.length < listed.length)
      fields.note('too many or too long callback URLs', String(listed.length));
    if (callbackUrls.length === 0) return new Left('no callback URL');
    const internal = callbackUrls.filter((url) => isInternalUrl(url, world.allowedHosts));
    if (internal.length > 0) fields.note('internal address that ALLOWED_INTERNAL_HOSTS does not contain');
    const isPaused = channel?.type === 'P';
    if (isPaused) fields.note('outgoing webhook of a private channel: paused');
    const contentType = fields.text('ContentType').trim();
    return {
      id,
      createAt: fields.time('CreateAt'),
      updateAt: fields.time('UpdateAt'),
      deleteAt: fields.time('DeleteAt'),
      creatorId,
      setBy: creatorId,
      channelId,
      teamId,
      triggerWords: fields.list('TriggerWords'),
      triggerWhen: fields.count('TriggerWhen') === 1 ? 1 : FIRST_WORD_EQUALS,
      callbackUrls,
      displayName: fields.bytes('DisplayName', 64),
      description: fields.bytes('Description', 500),
      contentType: contentType === JSON_TYPE ? JSON_TYPE : FORM_TYPE,
      username: fields.bytes('Username', 64),
      iconUrl: fields.bytes('IconURL', 1024),
      sealedToken: token,
      sealedSigningSecret: newSigningSecret(),
      sealedPreviousSecret: '',
      previousSigningUntil: 0,
      disabledAt: isPaused ? world.now : 0,
      disabledReason: isPaused ? PRIVATE_CHANNEL : '',
      disabledUrls: isPaused ? callbackUrls : [],
      failingUrls: {},
      lastFailureAt: 0,
      enabledAt: 0,
      announcedPause: '',
      headers: null,
      sealedHeaders: '',
      auth: null,
      sealedAuth: '',
      events: ['message.triggered'],
      botUserId: '',
      includeBots: false,
      delivery: 'push',
      ordering: '',
      requestsPerSecond: 0,
    };
  },
};
