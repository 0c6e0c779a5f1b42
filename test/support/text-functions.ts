import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { replyText, attemptOf } from '../../src/delivery/dispatch/attempt-row.js';
import { endpointLane } from '../../src/delivery/dispatch/lane-name.js';
import { redact, redactedStart } from '../../src/delivery/dispatch/redact.js';
import { parseRetryAfterMs } from '../../src/delivery/dispatch/schedule.js';
import { requireCallableUrl } from '../../src/delivery/outbound/callable-url.js';
import { failureOf } from '../../src/delivery/outbound/failure-of.js';
import { requireValidUsername } from '../../src/incoming-hooks/incoming-hook.rules.js';
import { formPayload } from '../../src/incoming-hooks/payload/form-payload.js';
import { decodeLenientJson } from '../../src/incoming-hooks/payload/lenient-json.js';
import { readParts } from '../../src/incoming-hooks/payload/multipart-parts.js';
import { decodePayload } from '../../src/incoming-hooks/payload/payload-decoder.js';
import { clientProps } from '../../src/messaging/auth/client-props.js';
import { cookieValue, presentedToken } from '../../src/messaging/auth/presented-token.js';
import { tokenHash } from '../../src/messaging/auth/token-hash.js';
import * as channelRules from '../../src/messaging/channels/channel.rules.js';
import { isOwnOrigin } from '../../src/messaging/live/gateway/origin.js';
import { serveWithoutUpgrade } from '../../src/messaging/live/gateway/without-upgrade.js';
import { splitRoles } from '../../src/messaging/permissions/role-list.js';
import { checkedAttachments } from '../../src/messaging/posts/content/attachment-shape.js';
import {
  builtAttachments,
  normaliseAttachments,
  stripActionIntegrations,
} from '../../src/messaging/posts/content/attachments.js';
import { findChannelMentions } from '../../src/messaging/posts/content/channel-mentions.js';
import { withoutCode } from '../../src/messaging/posts/content/code-spans.js';
import { emojiImagePath } from '../../src/messaging/posts/content/emoji.js';
import { extractHashtags } from '../../src/messaging/posts/content/hashtags.js';
import { findMentions, isEveryone, mentionsEveryone } from '../../src/messaging/posts/content/mentions.js';
import * as props from '../../src/messaging/posts/content/props.js';
import { linkUrl, pictureUrl } from '../../src/messaging/posts/content/safe-url.js';
import * as slack from '../../src/messaging/posts/content/slack-text.js';
import { splitContent } from '../../src/messaging/posts/content/split.js';
import * as postRules from '../../src/messaging/posts/posts.rules.js';
import { parseSearchTerms } from '../../src/messaging/posts/search/search-terms.js';
import { readWebhookMessage } from '../../src/messaging/posts/webhook/webhook-message.js';
import * as teamRules from '../../src/messaging/teams/team.rules.js';
import { drawAvatar } from '../../src/messaging/users/avatar/avatar.js';
import { glyphOf } from '../../src/messaging/users/avatar/glyphs.js';
import * as userRules from '../../src/messaging/users/user-rules.js';
import { encodePayload } from '../../src/outgoing-hooks/delivery/payload.js';
import { signatureHeaders } from '../../src/outgoing-hooks/delivery/signature.js';
import { TeamTriggers } from '../../src/outgoing-hooks/matching/team-triggers.js';
import {
  firingWord,
  matches,
  prepareMessage,
  prepareTriggers,
} from '../../src/outgoing-hooks/matching/trigger-matcher.js';
import * as triggerText from '../../src/outgoing-hooks/matching/trigger-text.js';
import type { OutgoingHook } from '../../src/outgoing-hooks/outgoing-hook.entity.js';
import { intersects } from '../../src/outgoing-hooks/outgoing-hook.rules.js';
import { decodeBody, toRequests } from '../../src/platform/common/dto/body.pipe.js';
import * as params from '../../src/platform/common/dto/params.js';
import { clientAddressOf } from '../../src/platform/common/http/client-address.js';
import { requestContext } from '../../src/platform/common/http/request-context.js';
import { idOf, isAlphanumeric, isId } from '../../src/platform/common/ids.js';
import { clientBlock, parseAddress } from '../../src/platform/common/ip-address.js';
import * as json from '../../src/platform/common/json.js';
import { decodeText, parseMediaType } from '../../src/platform/common/media-type.js';
import * as utf8 from '../../src/platform/common/utf8.js';
import { estimateBytes } from '../../src/platform/database/estimate-bytes.js';
import { foldCase, foldedPosition } from '../../src/platform/database/folded-text.js';
import { shortened } from '../../src/platform/logging/logger.js';
import { parseInvite } from '../../src/remote-cluster/invite/invite.js';
import { requirePassword } from '../../src/remote-cluster/invite/invite-password.js';
import { frameOf, parseFrame } from '../../src/remote-cluster/peer/frame.js';
import { parseReply } from '../../src/remote-cluster/peer/peer-client.js';
import * as clusterRules from '../../src/remote-cluster/remote-cluster.rules.js';
import * as siteUrl from '../../src/remote-cluster/site-url.js';
import { candidateNames, parseChannelInvite } from '../../src/shared-channels/channel-invite.js';
import { parseSync } from '../../src/shared-channels/sync/sync-message.js';
import { channelIdOf } from '../../src/shared-channels/sync/sync-payload.js';

/** The default of MAX_PAYLOAD_BYTES. */
const BODY = 300_000;
/** Node refuses longer headers. */
const HEADER = 16_000;
const URL_LENGTH = 2_000;

/** A function that takes text from outside. */
export interface TextFunction {
  /** The greatest length that reaches it; what is longer is refused before. */
  readonly max: number;
  /** The call for a text. What it needs besides is made here and is not measured. */
  readonly prepare: (text: string) => () => unknown;
}

type Call = (text: string) => unknown;
/** A function that takes texts of up to this length. */
export const upTo =
  (max: number) =>
  (call: Call): TextFunction => ({ max, prepare: (text) => () => call(text) });
const body = upTo(BODY);
/** Node reads headers as Latin-1. */
const header = (call: Call): TextFunction => ({
  max: HEADER,
  prepare: (text) => {
    const sent = Buffer.from(text, 'latin1').toString('latin1');
    return () => call(sent);
  },
});
const url = upTo(URL_LENGTH);
/** A function that takes a list, here the words of the text. */
const list = (call: (words: readonly string[]) => unknown, max = BODY): TextFunction => ({
  max,
  prepare: (text) => {
    const words = wordsOf(text);
    return () => call(words);
  },
});
/**
 * A function that takes an object, here with the words in so many keys. There are always as many, because what a key costs
 * V8 itself rises severalfold with their number.
 */
const KEYS = 100;
const object = (call: (object: Record<string, unknown>) => unknown): TextFunction => ({
  max: BODY,
  prepare: (text) => {
    const part = text.slice(0, Math.ceil(text.length / KEYS));
    const sent = Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`${part}${index}`, part]));
    return () => call(sent);
  },
});

const LARGE = 'x'.repeat(150_000);
const SECRETS = [
  'ybndrfg8ejkmcpqxot1uwisza3',
  'whsec_a0`@#~<>|"\'\\/.-_=;,:%&+(){}[]',
  'aaaaaaaaaaaaaaaaaaaaaaaaab',
];
const USER_ID = 'gqsr16q5bj8ikq9dsu7mzp3acy';
const BOUNDARY = 'xYzZY';
const usernameOf = (): string => 'ada';
const hook = (triggerWords: readonly string[], triggerWhen = 0): OutgoingHook =>
  ({ id: triggerWords[0], channelId: '', callbackUrls: ['http://x/'], triggerWords, triggerWhen }) as never;
/** Triggers that begin in many places of hostile messages and end in few. */
const HOOKS = [...'a0`@#~<>|"\'\\/.-_=;,:%&+(){}[]!?*é한👍'].flatMap((character) => [
  hook([character, character.repeat(200) + 'x']),
  hook([`x${character}`, character.repeat(100)], 1),
  hook([`${character} `.repeat(100) + 'x']),
]);
const TRIGGERS = HOOKS.flatMap((each) => prepareTriggers(each));
const TEAM = new TeamTriggers(HOOKS);
const attachment = (text: string): object => ({
  id: 1,
  ...Object.fromEntries(
    [
      'fallback',
      'pretext',
      'author_link',
      'author_icon',
      'title',
      'title_link',
      'text',
      'image_url',
      'ts',
    ].map((name) => [name, text]),
  ),
  fields: [{ title: text, value: text }],
  actions: [{ id: 'a', name: text, integration: { url: text, context: { text } } }],
});
const profile = (text: string): userRules.Profile => ({
  username: 'ada',
  email: 'ada@example.com',
  nickname: text,
  firstName: text,
  lastName: text,
  position: text,
  locale: '',
  timezone: { text },
  props: { text },
  notifyProps: { text },
  roles: text,
});
const bytes = (text: string): Buffer => Buffer.from(text);

/** The functions that take text from outside, by their file and name. */
export const TEXT_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  'delivery/dispatch/attempt-row.ts attemptOf': body((text) =>
    attemptOf({ id: 'd', attempts: 0 } as never, 0, { body: bytes(text), secrets: SECRETS } as never, text),
  ),
  'delivery/dispatch/attempt-row.ts replyText': body((text) => replyText(bytes(text), SECRETS)),
  'delivery/dispatch/lane-name.ts endpointLane': url((text) =>
    endpointLane(`http://${text.slice(0, 250)}/${text}`),
  ),
  'delivery/dispatch/redact.ts redact': body((text) => redact(text, SECRETS)),
  'delivery/dispatch/redact.ts redactedStart': body((text) => redactedStart(bytes(text), BODY, SECRETS)),
  'delivery/dispatch/schedule.ts parseRetryAfterMs': header((text) => parseRetryAfterMs(text, 0)),
  'delivery/outbound/callable-url.ts requireCallableUrl': url((text) => requireCallableUrl(`http://${text}`)),
  'delivery/outbound/failure-of.ts failureOf': header((text) =>
    failureOf(Object.assign(new Error(text), { code: 'HPE_INVALID_CONSTANT' })),
  ),
  'incoming-hooks/incoming-hook.rules.ts requireValidUsername': body((text) => requireValidUsername(text)),
  'incoming-hooks/payload/form-payload.ts formPayload': body((text) => [
    formPayload(bytes(text)),
    formPayload(bytes(`payload=${text}`)),
  ]),
  'incoming-hooks/payload/lenient-json.ts decodeLenientJson': body((text) => [
    attempt(() => decodeLenientJson(text)),
    attempt(() => decodeLenientJson(`{"text":"${text}"}`)),
  ]),
  'incoming-hooks/payload/multipart-parts.ts readParts': body((text) => [
    ignore(readParts(bytes(`--${BOUNDARY}\r\n${text}\r\n--${BOUNDARY}--`), BOUNDARY)),
    ignore(
      readParts(
        bytes(
          `--${BOUNDARY}\r\ncontent-disposition: form-data; name="text"\r\n\r\n${text}\r\n--${BOUNDARY}--`,
        ),
        BOUNDARY,
      ),
    ),
    ignore(readParts(bytes('a'), text)),
  ]),
  'incoming-hooks/payload/payload-decoder.ts decodePayload': body((text) => [
    attempt(() => decodePayload({ body: bytes(text) })),
    attempt(() => decodePayload({ body: bytes(JSON.stringify({ text, props: { [text]: [text] } })) })),
    attempt(() => decodePayload({ body: bytes(JSON.stringify({ attachments: [attachment(text)] })) })),
    attempt(() =>
      decodePayload({
        body: bytes('{}'),
        contentType: `application/json; charset="${text.slice(0, HEADER)}"`,
      }),
    ),
  ]),
  'messaging/auth/client-props.ts clientProps': header((text) => clientProps(text, false)),
  'messaging/auth/presented-token.ts cookieValue': header((text) => cookieValue(text, 'MMAUTHTOKEN')),
  'messaging/auth/presented-token.ts presentedToken': header((text) => [
    presentedToken({ cookie: text, authorization: text }, '/'),
    presentedToken({ authorization: `Bearer ${text}` }, `/?${text.slice(0, URL_LENGTH)}&access_token=1`),
  ]),
  'messaging/auth/token-hash.ts tokenHash': header(tokenHash),
  'messaging/channels/channel.rules.ts isChannelName': body(channelRules.isChannelName),
  'messaging/channels/channel.rules.ts isDirectName': body(channelRules.isDirectName),
  'messaging/channels/channel.rules.ts groupName': list(channelRules.groupName),
  'messaging/channels/channel.rules.ts groupDisplayName': list(channelRules.groupDisplayName),
  'messaging/channels/channel.rules.ts requireValidHeader': upTo(1_024)(channelRules.requireValidHeader),
  'messaging/channels/channel.rules.ts changedNotifyProps': body((text) =>
    channelRules.changedNotifyProps({ [text]: text }, { [text]: text, desktop: text }),
  ),
  'messaging/live/gateway/origin.ts isOwnOrigin': header((text) =>
    isOwnOrigin(`http://${text}`, text, 'http://example.com'),
  ),
  'messaging/live/gateway/without-upgrade.ts serveWithoutUpgrade': header((text) =>
    serveWithoutUpgrade(
      { emit: () => true } as unknown as Server,
      { method: 'GET', url: '/', httpVersion: '1.1', rawHeaders: ['connection', text, text, text] } as never,
      { unshift: () => undefined } as unknown as Duplex,
      Buffer.alloc(0),
    ),
  ),
  'messaging/permissions/role-list.ts splitRoles': body(splitRoles),
  'messaging/posts/content/attachment-shape.ts checkedAttachments': list((words) =>
    checkedAttachments(words.map((text) => ({ text, fields: [{ value: text }] }))),
  ),
  'messaging/posts/content/attachments.ts builtAttachments': list((words) =>
    builtAttachments([
      attachment(words[0] ?? ''),
      { fields: words.map((value) => ({ value, short: 'true' })) },
    ]),
  ),
  'messaging/posts/content/attachments.ts normaliseAttachments': body((text) => [
    normaliseAttachments([attachment(text)]),
    normaliseAttachments([{ fields: [{ value: { [text]: [text] } }] }]),
  ]),
  'messaging/posts/content/attachments.ts stripActionIntegrations': list(
    (words) =>
      stripActionIntegrations([{ actions: words.map((id) => ({ id, integration: { url: id } })) } as never]),
    100_000, // a payload holds no more actions
  ),
  'messaging/posts/content/channel-mentions.ts findChannelMentions': body((text) =>
    findChannelMentions([text, text]),
  ),
  'messaging/posts/content/code-spans.ts withoutCode': body(withoutCode),
  'messaging/posts/content/emoji.ts emojiImagePath': body(emojiImagePath),
  'messaging/posts/content/hashtags.ts extractHashtags': body((text) => [
    extractHashtags(text),
    extractHashtags(`${text}#`),
  ]),
  'messaging/posts/content/mentions.ts findMentions': body((text) => findMentions([text, `${text}@`])),
  'messaging/posts/content/mentions.ts isEveryone': body(isEveryone),
  'messaging/posts/content/mentions.ts mentionsEveryone': body((text) => mentionsEveryone(`${text}@`)),
  'messaging/posts/content/props.ts attachmentsOf': body((text) =>
    props.attachmentsOf({ attachments: text }),
  ),
  'messaging/posts/content/props.ts unreservedProps': object(props.unreservedProps),
  'messaging/posts/content/props.ts acceptedProps': object(props.acceptedProps),
  'messaging/posts/content/props.ts editedProps': object((sent) => props.editedProps(sent, sent)),
  'messaging/posts/content/props.ts remoteProps': object((sent) =>
    props.remoteProps({ ...sent, from_webhook: 'true', override_username: 'a' }, 'branch'),
  ),
  'messaging/posts/content/safe-url.ts linkUrl': body(linkUrl),
  'messaging/posts/content/safe-url.ts pictureUrl': body(pictureUrl),
  'messaging/posts/content/slack-text.ts convertText': body((text) =>
    slack.convertText(`${text}>`, usernameOf),
  ),
  'messaging/posts/content/slack-text.ts convertAttachmentText': body((text) => [
    slack.convertAttachmentText(text, usernameOf),
    slack.convertAttachmentText(`${text}>`, usernameOf),
  ]),
  'messaging/posts/content/slack-text.ts convertAttachments': body((text) =>
    slack.convertAttachments(builtAttachments([attachment(text)]), usernameOf),
  ),
  'messaging/posts/content/slack-text.ts mentionedUserIds': body((text) =>
    slack.mentionedUserIds(text, builtAttachments([attachment(text)])),
  ),
  'messaging/posts/content/split.ts splitContent': list((words) =>
    splitContent({
      message: words.join(' '),
      props: { text: LARGE }, // otherwise nothing would be measured until there is much
      attachments: words.map((text) => ({ text })) as never,
    }),
  ),
  'messaging/posts/posts.rules.ts isSystemType': body(postRules.isSystemType),
  'messaging/posts/posts.rules.ts requireNoSystemType': body(postRules.requireNoSystemType),
  'messaging/posts/posts.rules.ts requireValidMessage': body(postRules.requireValidMessage),
  'messaging/posts/posts.rules.ts requireValidProps': body((text) =>
    postRules.requireValidProps({ [text]: text }),
  ),
  'messaging/posts/posts.rules.ts requireValidType': body((text) =>
    postRules.requireValidType(`custom_${text}`),
  ),
  'messaging/posts/posts.rules.ts requireValidFileIds': list(postRules.requireValidFileIds),
  'messaging/posts/posts.rules.ts requireValidPendingPostId': body(postRules.requireValidPendingPostId),
  'messaging/posts/posts.rules.ts acceptedMetadata': body((text) =>
    postRules.acceptedMetadata({ priority: { priority: text } }, ''),
  ),
  'messaging/posts/search/search-terms.ts parseSearchTerms': header(parseSearchTerms),
  'messaging/posts/webhook/webhook-message.ts readWebhookMessage': body((text) =>
    readWebhookMessage({
      text,
      username: text,
      type: text,
      attachments: [attachment(text)],
      props: { text },
    }),
  ),
  'messaging/teams/team.rules.ts isTeamName': body(teamRules.isTeamName),
  'messaging/teams/team.rules.ts isEmailAllowed': body((text) => [
    teamRules.isEmailAllowed(text, 'example.com'),
    teamRules.isEmailAllowed('ada@example.com', text),
  ]),
  'messaging/teams/team.rules.ts hasAllowedDomains': body(teamRules.hasAllowedDomains),
  'messaging/users/avatar/avatar.ts drawAvatar': upTo(512)((text) => drawAvatar(USER_ID, text)),
  'messaging/users/avatar/glyphs.ts glyphOf': body(glyphOf),
  'messaging/users/user-rules.ts isUsernameShaped': body(userRules.isUsernameShaped),
  'messaging/users/user-rules.ts isEmail': body((text) => [
    userRules.isEmail(text),
    userRules.isEmail(`a@${text}`),
  ]),
  'messaging/users/user-rules.ts requireValidProfile': body((text) =>
    userRules.requireValidProfile(profile(text)),
  ),
  'messaging/users/user-rules.ts requireRolesFit': body(userRules.requireRolesFit),
  'messaging/users/user-rules.ts requirePasswordPolicy': body(userRules.requirePasswordPolicy),
  'messaging/users/user-rules.ts supportedLocale': body(userRules.supportedLocale),
  'messaging/users/user-rules.ts stringMap': object((sent) => userRules.stringMap('props', sent)),
  'messaging/users/user-rules.ts requireNoMixedGuest': list(userRules.requireNoMixedGuest),
  'messaging/users/user-rules.ts isRoleList': body(userRules.isRoleList),
  'outgoing-hooks/delivery/payload.ts encodePayload': body((text) => [
    encodePayload('application/json', 'token', { text, trigger_word: text }),
    encodePayload('application/x-www-form-urlencoded', 'token', { text, trigger_word: text }),
  ]),
  'outgoing-hooks/delivery/signature.ts signatureHeaders': body((text) =>
    signatureHeaders(['whsec_AAAA'], 'id', 0, text),
  ),
  'outgoing-hooks/matching/team-triggers.ts TeamTriggers': body((text) => TEAM.firing('c', text)),
  'outgoing-hooks/matching/trigger-matcher.ts prepareMessage': body(prepareMessage),
  'outgoing-hooks/matching/trigger-matcher.ts prepareTriggers': list((words) =>
    prepareTriggers({ triggerWords: words, triggerWhen: 0 }),
  ),
  'outgoing-hooks/matching/trigger-matcher.ts matches': body((text) => {
    const message = prepareMessage(text);
    return TRIGGERS.map((trigger) => matches(message, trigger));
  }),
  'outgoing-hooks/matching/trigger-matcher.ts firingWord': body((text) =>
    firingWord(prepareMessage(text), TRIGGERS, HOOKS[0]!),
  ),
  'outgoing-hooks/matching/trigger-text.ts normalizeTriggerText': body(triggerText.normalizeTriggerText),
  'outgoing-hooks/matching/trigger-text.ts withoutLeadingSpace': body(triggerText.withoutLeadingSpace),
  'outgoing-hooks/matching/trigger-text.ts isWordBefore': body((text) =>
    triggerText.isWordBefore(text, text.length),
  ),
  'outgoing-hooks/matching/trigger-text.ts isWordAt': body((text) =>
    triggerText.isWordAt(text, text.length - 1),
  ),
  'outgoing-hooks/matching/trigger-text.ts forEachToken': body((text) =>
    triggerText.forEachToken(text, () => undefined),
  ),
  'outgoing-hooks/outgoing-hook.rules.ts intersects': list(
    (words) => intersects(hook(words), hook(words.map((word) => `${word}x`))),
    HEADER,
  ),
  'platform/common/dto/body.pipe.ts decodeBody': body((text) => decodeBody(bytes(text), 'body')),
  'platform/common/dto/body.pipe.ts toRequests': list((words) =>
    toRequests(
      words.map((word) => ({ [word.slice(0, 9)]: word })),
      Object,
      'list',
    ),
  ),
  'platform/common/dto/params.ts parseIdParam': url((text) => params.parseIdParam('id', text)),
  'platform/common/dto/params.ts queryText': url((text) =>
    params.queryText({ query: { text } } as never, 'text'),
  ),
  'platform/common/dto/params.ts parseQueryId': url((text) => params.parseQueryId('id', text)),
  'platform/common/dto/params.ts wholeNumber': url((text) => params.wholeNumber(text, 0)),
  'platform/common/dto/params.ts isTruthy': url(params.isTruthy),
  'platform/common/http/client-address.ts clientAddressOf': header((text) =>
    clientAddressOf({ isLocal: false, ip: text }),
  ),
  'platform/common/http/request-context.ts requestContext': url((text) =>
    requestContext(
      { url: text, headers: { host: text }, method: 'GET' } as never,
      { setHeader: () => undefined } as never,
      () => undefined,
    ),
  ),
  'platform/common/ids.ts idOf': body(idOf),
  'platform/common/ids.ts isId': body(isId),
  'platform/common/ids.ts isAlphanumeric': body(isAlphanumeric),
  'platform/common/ip-address.ts parseAddress': header(parseAddress),
  'platform/common/ip-address.ts clientBlock': header(clientBlock),
  'platform/common/json.ts decodeJson': body((text) => [
    attempt(() => json.decodeJson(text)),
    attempt(() => json.decodeJson(`"${text}"`)),
    attempt(() => json.decodeJson(JSON.stringify({ [text]: text, 'a\\u0000': [text] }))),
  ]),
  'platform/common/json.ts wellFormed': upTo(50_000)(json.wellFormed), // V8 allocates longer ones elsewhere
  'platform/common/json.ts foldKeys': object((sent) => json.foldKeys({ ...sent, A: 1 })),
  'platform/common/json.ts endOfString': body((text) => json.endOfString(text, 0)),
  'platform/common/media-type.ts parseMediaType': header((text) => [
    attempt(() => parseMediaType(text)),
    attempt(() => parseMediaType(`a/b;${text}`)),
    attempt(() => parseMediaType(`a/b;c="${text}`)),
  ]),
  'platform/common/media-type.ts decodeText': body((text) => [
    decodeText(bytes(text), undefined),
    decodeText(bytes(text), 'utf-16le'),
    attempt(() => decodeText(bytes('a'), text.slice(0, HEADER))),
  ]),
  'platform/common/utf8.ts byteLength': body(utf8.byteLength),
  'platform/common/utf8.ts runeLength': body(utf8.runeLength),
  'platform/common/utf8.ts sliceRunes': body((text) => utf8.sliceRunes(text, 1, text.length / 2)),
  'platform/common/utf8.ts splitRunes': body((text) => utf8.splitRunes(text, 100)),
  'platform/database/estimate-bytes.ts estimateBytes': object(estimateBytes),
  'platform/database/folded-text.ts foldCase': body(foldCase),
  'platform/database/folded-text.ts foldedPosition': body((text) => [
    foldedPosition(text, 'x'),
    foldedPosition(text, `${text.slice(0, 200)}x`),
    foldedPosition(text, `x${text.slice(0, 200)}`),
  ]),
  'platform/logging/logger.ts shortened': body(shortened),
  'remote-cluster/invite/invite.ts parseInvite': body((text) => [
    attempt(() => parseInvite(text)),
    attempt(() =>
      parseInvite(JSON.stringify({ remote_id: USER_ID, token: 'a', site_url: `http://${text}` })),
    ),
  ]),
  'remote-cluster/invite/invite-password.ts requirePassword': upTo(1_024)(requirePassword),
  'remote-cluster/peer/frame.ts parseFrame': body((text) => parseFrame(bytes(text))),
  'remote-cluster/peer/frame.ts frameOf': body((text) =>
    frameOf({ remote_id: USER_ID, msg: { id: USER_ID, topic: text, payload: text } }),
  ),
  'remote-cluster/peer/peer-client.ts parseReply': body((text) => parseReply(bytes(text))),
  'remote-cluster/remote-cluster.rules.ts cleanName': body(clusterRules.cleanName),
  'remote-cluster/remote-cluster.rules.ts cleanDisplayName': body(clusterRules.cleanDisplayName),
  'remote-cluster/remote-cluster.rules.ts isPlainId': body(clusterRules.isPlainId),
  'remote-cluster/remote-cluster.rules.ts normalizeTopics': body(clusterRules.normalizeTopics),
  'remote-cluster/site-url.ts isPeerUrl': body((text) => siteUrl.isPeerUrl(`http://${text}`)),
  'remote-cluster/site-url.ts plainHost': body(siteUrl.plainHost),
  'remote-cluster/site-url.ts trimSiteUrl': body((text) => siteUrl.trimSiteUrl(`http:${text}`)),
  'remote-cluster/site-url.ts isSameSite': url((text) =>
    siteUrl.isSameSite(`http://a/${text}`, `http://a/${text}`),
  ),
  'remote-cluster/site-url.ts peerApiUrl': url((text) => siteUrl.peerApiUrl(text, 'ping')),
  'shared-channels/channel-invite.ts parseChannelInvite': body((text) =>
    parseChannelInvite({ channel_id: USER_ID, name: text, type: text, header: text }),
  ),
  'shared-channels/channel-invite.ts candidateNames': body((text) => candidateNames(text, text)),
  'shared-channels/sync/sync-message.ts parseSync': body((text) =>
    parseSync({ channel_id: USER_ID, users: { a: { id: USER_ID, username: text } }, posts: [{ id: text }] }),
  ),
  'shared-channels/sync/sync-payload.ts channelIdOf': body((text) => channelIdOf({ channel_id: text })),
};

const wordsOf = (text: string): string[] => text.split(' ');

/** Folders that text from outside does not reach: settings, files, schema, declarations. */
export const FOLDERS_WITHOUT_TEXT = [
  'platform/access/',
  'platform/config/',
  'platform/database/',
  'platform/local-mode/',
  'platform/modules/',
  'platform/secrets/',
  'startup/',
];

/** Functions that take text and need no figure, by the reason. */
export const FUNCTIONS_WITHOUT_FIGURE: Readonly<Record<string, readonly string[]>> = {
  'it takes ids, which have 26 characters': [
    'delivery/dispatch/lane-name.ts orderedLane',
    'delivery/dispatch/lane-name.ts isOrderedLane',
    'messaging/channels/channel-counters.ts countPosts',
    'messaging/channels/channel-counters.ts countMentions',
    'messaging/channels/channel.rules.ts directName',
    'messaging/channels/dto/channel-member.dto.ts addedMembers',
    'messaging/teams/dto/write-team-member.dto.ts memberUserId',
    'messaging/users/users.policy.ts requireLocalUser',
    'messaging/users/users.policy.ts isSelf',
    'messaging/users/visible-users.read-model.ts isVisibleToViewer',
    'outgoing-hooks/matching/team-triggers.ts watches',
    'platform/audit/audit.service.ts secretHash',
    'remote-cluster/peer/peer-client.ts peerHeaders',
    'shared-channels/channel-invite.ts parseChannelId',
  ],
  'it only tells a type, picks a field or compares': [
    'messaging/posts/webhook/webhook-message.ts textField',
    'messaging/posts/webhook/webhook-message.ts objectField',
    'outgoing-hooks/outgoing-hook.rules.ts contentTypeOf',
    'platform/common/json.ts isJsonObject',
    'remote-cluster/peer/frame.ts isObject',
  ],
  'it puts together what has been judged before': [
    'delivery/dispatch/attempt-row.ts unpreparedAttempt',
    'delivery/outbound/callable-url.ts portOf',
    'messaging/live/frames.ts eventFrame',
    'messaging/live/frames.ts okReply',
    'messaging/posts/writer/draft-size.ts sizeOf',
    'outgoing-hooks/delivery/message-limit.ts limitCalls',
    'outgoing-hooks/delivery/payload.ts payloadOf',
    'remote-cluster/peer/frame.ts newFrame',
    'shared-channels/channel-invite.ts channelInviteOf',
  ],
  'it takes names and sentences of this server': [
    'app.docs.page.ts docsPage',
    'delivery/outbound/reply-body.ts decoderOf',
    'messaging/permissions/guests.ts allowedByAccount',
    'messaging/permissions/guests.ts isGuestRole',
    'outgoing-hooks/outgoing-hook-health.ts healthOf',
    'platform/audit/audit.interceptor.ts recordRefusal',
    'platform/common/dto/documented-param.ts describePathParam',
    'platform/common/dto/documented-param.ts describeQueryParam',
    'platform/common/dto/fields.ts bodyNameOf',
    'platform/common/dto/fields.ts fieldsOf',
    'platform/common/dto/operation.ts oneOf',
    'platform/common/dto/query-object.ts flagParam',
    'platform/common/dto/query-object.ts idParam',
    'platform/common/dto/query-object.ts textParam',
    'platform/common/errors/record-rules.ts rulesOf',
    'platform/common/errors/stack-of.ts stackOf',
    'platform/common/files.ts makeFolder',
    'platform/common/http/body-reader.ts bodyReader',
    'platform/common/http/html-page.ts contentPolicy',
    'platform/common/http/html-page.ts htmlPage',
    'platform/common/http/html-page.ts inlineSource',
    'platform/common/http/responses.ts errorBody',
    'platform/common/http/responses.ts writeError',
    'platform/common/http/responses.ts writeJson',
    'platform/common/http/responses.ts writeNotFound',
    'platform/metrics/metrics-only.ts metricsOnlyThere',
  ],
};

function attempt(action: () => unknown): void {
  try {
    action();
  } catch {
    // refusing must be cheap as well
  }
}

function ignore(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
