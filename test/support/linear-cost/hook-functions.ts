import { attemptOf, replyText, shownHeaders } from '../../../src/delivery/dispatch/attempt.js';
import {
  endpointLane,
  flowOf,
  orderedLanesOf,
  originOf,
} from '../../../src/delivery/dispatch/delivery-kind.js';
import { failureOf, NOTHING } from '../../../src/delivery/outbound/outbound-failure.js';
import { redact, redactedStart, redactWhole } from '../../../src/delivery/dispatch/redaction.js';
import { parseRetryAfterMs } from '../../../src/delivery/dispatch/outcome.js';
import { isInternalUrl } from '../../../src/delivery/outbound/address-guard.js';
import { requireCallableUrl } from '../../../src/delivery/outbound/callable-url.js';
import {
  requireValidAlias,
  requireValidUsername,
  withFreeAlias,
} from '../../../src/incoming-hooks/incoming-hook.rules.js';
import { aliasPathOf, isRocketChatPath, isSlackPath } from '../../../src/incoming-hooks/alias-paths.js';
import { similarChannels, wantedTarget } from '../../../src/incoming-hooks/execution/target-channel.js';
import {
  headersWithoutSecrets,
  isKeptHeader,
  startOfBody,
} from '../../../src/incoming-hooks/kept-requests/request-keeper.js';
import { faultOfSecret, requireProof } from '../../../src/incoming-hooks/verification/checks.js';
import { PRESETS } from '../../../src/incoming-hooks/verification/presets.js';
import { partsOf, readVerifier } from '../../../src/incoming-hooks/verification/verifier.js';
import { decodeLenientJson } from '../../../src/messaging/posts/webhook/webhook-message.js';
import { formPayload, readParts } from '../../../src/incoming-hooks/payload/payload-forms.js';
import { decodePayload } from '../../../src/incoming-hooks/payload/payload-decoder.js';
import { decodeRocketChat, queryPayloadOf } from '../../../src/incoming-hooks/payload/rocketchat-payload.js';
import { readHeaders } from '../../../src/outgoing-hooks/credentials/hook-headers.js';
import { readAuth } from '../../../src/outgoing-hooks/credentials/hook-auth.js';
import { isHookEvent } from '../../../src/outgoing-hooks/events/hook-events.js';
import { encodePayload } from '../../../src/outgoing-hooks/delivery/payload.js';
import { signatureHeaders } from '../../../src/outgoing-hooks/delivery/call-headers.js';
import {
  codesOf,
  errorOf,
  laneOf,
  retryFilterOf,
  statusesOf,
  timeOf,
} from '../../../src/outgoing-hooks/delivery-log/delivery-filters.js';
import { TeamTriggers } from '../../../src/outgoing-hooks/matching/team-triggers.js';
import {
  firingWord,
  matches,
  prepareMessage,
  prepareTriggers,
} from '../../../src/outgoing-hooks/matching/trigger-matcher.js';
import * as triggerText from '../../../src/outgoing-hooks/matching/trigger-text.js';
import type { OutgoingHook } from '../../../src/outgoing-hooks/outgoing-hook.entity.js';
import { patchCommand } from '../../../src/outgoing-hooks/dto/write-outgoing-hook.dto.js';
import { intersects } from '../../../src/outgoing-hooks/outgoing-hook.rules.js';
import {
  BODY,
  HEADER,
  type TextFunction,
  body,
  header,
  url,
  list,
  attempt,
  ignore,
  bytes,
  attachment,
} from './kinds.js';

const SECRETS = [
  'ybndrfg8ejkmcpqxot1uwisza3',
  'whsec_a0`@#~<>|"\'\\/.-_=;,:%&+(){}[]',
  'aaaaaaaaaaaaaaaaaaaaaaaaab',
];
/** Secrets as hostile as the text, because users choose them. */
const secretsLike = (text: string): readonly string[] => {
  const half = text.slice(0, text.length / 2);
  return [...SECRETS, half, `${half}x`, `x${half}`, `${half}x${half}`];
};
const BOUNDARY = 'xYzZY';
const hook = (triggerWords: readonly string[], triggerWhen = 0): OutgoingHook =>
  ({
    ...{ id: triggerWords[0], channelId: '', callbackUrls: ['http://x/'], events: ['message.triggered'] },
    ...{ triggerWords, triggerWhen },
  }) as never;
/** Triggers that start in many places of hostile messages and end in few. */
const HOOKS = [...'a0`@#~<>|"\'\\/.-_=;,:%&+(){}[]!?*é한👍'].flatMap((character) => [
  hook([character, character.repeat(200) + 'x']),
  hook([`x${character}`, character.repeat(100)], 1),
  hook([`x${character}`, `${character} `.repeat(100)], 2),
  hook([`${character} `.repeat(100) + 'x']),
]);
const TRIGGERS = HOOKS.flatMap((each) => prepareTriggers(each));
const TEAM = new TeamTriggers(HOOKS);

/** The functions of webhooks and deliveries that take text from outside, by file and name. */
export const HOOK_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  'delivery/dispatch/attempt.ts attemptOf': body((text) =>
    attemptOf(
      { id: 'd', attempts: 0 } as never,
      0,
      { ...NOTHING, body: bytes(text), secrets: SECRETS } as never,
      text,
    ),
  ),
  'delivery/dispatch/attempt.ts shownHeaders': body((text) =>
    shownHeaders({ 'x-text': text }, SECRETS, Infinity),
  ),
  'delivery/dispatch/attempt.ts replyText': body((text) => replyText(bytes(text), SECRETS)),
  'delivery/dispatch/delivery-kind.ts endpointLane': url((text) =>
    endpointLane(`http://${text.slice(0, 250)}/${text}`),
  ),
  'delivery/dispatch/delivery-kind.ts originOf': url((text) =>
    originOf(`http://${text.slice(0, 250)}/${text}`),
  ),
  'delivery/dispatch/delivery-kind.ts orderedLanesOf': url((text) => orderedLanesOf(`http://${text}`)),
  'delivery/dispatch/delivery-kind.ts flowOf': url((text) => flowOf('owner', `http://${text}`)),
  'delivery/dispatch/redaction.ts redact': body((text) => redact(text, secretsLike(text))),
  'delivery/dispatch/redaction.ts redactWhole': body((text) => redactWhole(text, secretsLike(text))),
  'delivery/dispatch/redaction.ts redactedStart': body((text) =>
    redactedStart(bytes(text), BODY, secretsLike(text)),
  ),
  'delivery/dispatch/outcome.ts parseRetryAfterMs': header((text) => parseRetryAfterMs(text, 0)),
  'delivery/outbound/address-guard.ts isInternalUrl': url((text) => isInternalUrl(`http://${text}`, [])),
  'delivery/outbound/callable-url.ts requireCallableUrl': url((text) => requireCallableUrl(`http://${text}`)),
  'delivery/outbound/outbound-failure.ts failureOf': header((text) =>
    failureOf(Object.assign(new Error(text), { code: 'HPE_INVALID_CONSTANT' })),
  ),
  'incoming-hooks/execution/target-channel.ts similarChannels': body((text) =>
    similarChannels(text, [{ name: 'a'.repeat(64), displayName: 'a0'.repeat(32) }]),
  ),
  'incoming-hooks/execution/target-channel.ts wantedTarget': body((text) => wantedTarget(text)),
  'incoming-hooks/incoming-hook.rules.ts requireValidAlias': body((text) => requireValidAlias(text, text)),
  'incoming-hooks/incoming-hook.rules.ts withFreeAlias': body((text) =>
    withFreeAlias(text, () => Promise.resolve()),
  ),
  'incoming-hooks/alias-paths.ts aliasPathOf': body((text) => aliasPathOf('POST', text)),
  'incoming-hooks/alias-paths.ts isRocketChatPath': body((text) => isRocketChatPath(text)),
  'incoming-hooks/alias-paths.ts isSlackPath': body((text) => isSlackPath(text)),
  'incoming-hooks/incoming-hook.rules.ts requireValidUsername': body((text) => requireValidUsername(text)),
  'incoming-hooks/kept-requests/request-keeper.ts headersWithoutSecrets': header((text) =>
    headersWithoutSecrets({ [text]: text }),
  ),
  'incoming-hooks/kept-requests/request-keeper.ts startOfBody': body((text) => startOfBody(bytes(text))),
  'incoming-hooks/kept-requests/request-keeper.ts isKeptHeader': header((text) =>
    isKeptHeader(text.toLowerCase()),
  ),
  'incoming-hooks/verification/checks.ts requireProof': body((text) =>
    Object.keys(PRESETS).map((preset) => {
      const { verifier } = readVerifier({ preset });
      const value = text.slice(0, HEADER);
      const names = ['header', 'id_header', 'timestamp_header'].map(
        (name) => verifier[name as never] as string,
      );
      const headers = Object.fromEntries(names.filter(Boolean).map((name) => [name.toLowerCase(), value]));
      const type = preset === 'twilio' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
      const call = { headers: { ...headers, ...type }, body: bytes(text), originalUrl: `/hooks/x?${value}` };
      return attempt(() => requireProof(verifier, call as never, { secrets: SECRETS, now: 0, siteUrl: '' }));
    }),
  ),
  'incoming-hooks/verification/checks.ts faultOfSecret': body((text) =>
    faultOfSecret({ type: 'standard-webhooks' } as never, text),
  ),
  'incoming-hooks/verification/verifier.ts partsOf': body((text) => partsOf(text)),
  'incoming-hooks/verification/verifier.ts readVerifier': body((text) => [
    attempt(() => readVerifier({ preset: text })),
    attempt(() => readVerifier({ preset: 'github', secret: text })),
    attempt(() => readVerifier({ type: 'hmac', header: 'X', signed: `{body}${text}` })),
    attempt(() => readVerifier({ type: 'ip', networks: [text] })),
    attempt(() => readVerifier({ type: 'basic', user: text })),
  ]),
  'outgoing-hooks/credentials/hook-headers.ts readHeaders': body((text) => [
    attempt(() => readHeaders([{ name: text, value: 'x' }], [])),
    attempt(() => readHeaders([{ name: 'X', value: text }], [])),
  ]),
  'outgoing-hooks/credentials/hook-auth.ts readAuth': body((text) => [
    attempt(() => readAuth({ type: 'basic', username: text, password: text })),
    attempt(() => readAuth({ type: 'bearer', token: text })),
    attempt(() => readAuth({ type: 'oauth2', token_url: `http://${text}`, scope: text })),
  ]),
  'incoming-hooks/payload/payload-forms.ts formPayload': body((text) => [
    formPayload(bytes(text)),
    formPayload(bytes(`payload=${text}`)),
  ]),
  'messaging/posts/webhook/webhook-message.ts decodeLenientJson': body((text) => [
    attempt(() => decodeLenientJson(text)),
    attempt(() => decodeLenientJson(`{"text":"${text}"}`)),
  ]),
  'incoming-hooks/payload/payload-forms.ts readParts': body((text) => [
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
  'incoming-hooks/payload/rocketchat-payload.ts queryPayloadOf': body((text) =>
    queryPayloadOf({ method: 'GET', url: '/?text', query: { text } } as never),
  ),
  'incoming-hooks/payload/rocketchat-payload.ts decodeRocketChat': body((text) => [
    ignore(decodeRocketChat({ body: bytes(text), contentType: 'application/x-www-form-urlencoded' })),
    ignore(decodeRocketChat({ body: bytes(JSON.stringify({ alias: text, msg: text })) })),
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
  'outgoing-hooks/events/hook-events.ts isHookEvent': body(isHookEvent),
  'outgoing-hooks/delivery/payload.ts encodePayload': body((text) => [
    encodePayload('application/json', 'token', { text, trigger_word: text }),
    encodePayload('application/x-www-form-urlencoded', 'token', { text, trigger_word: text }),
  ]),
  'outgoing-hooks/delivery/call-headers.ts signatureHeaders': body((text) =>
    signatureHeaders(['whsec_AAAA'], 'id', 0, text),
  ),
  'outgoing-hooks/dto/write-outgoing-hook.dto.ts patchCommand': body((text) =>
    patchCommand('http://x', 'id', 'trigger_words', [text]),
  ),
  'outgoing-hooks/matching/team-triggers.ts TeamTriggers': body((text) => TEAM.firing('c', text)),
  'outgoing-hooks/matching/trigger-matcher.ts prepareMessage': body(prepareMessage),
  'outgoing-hooks/matching/trigger-matcher.ts prepareTriggers': list((words) =>
    [0, 2].map((triggerWhen) => prepareTriggers({ triggerWords: words, triggerWhen })),
  ),
  'outgoing-hooks/matching/trigger-matcher.ts matches': body((text) => {
    const message = prepareMessage(text);
    return TRIGGERS.map((trigger) => matches(message, trigger));
  }),
  'outgoing-hooks/delivery-log/delivery-filters.ts laneOf': url((text) => laneOf(`http://${text}`)),
  'outgoing-hooks/delivery-log/delivery-filters.ts errorOf': url(errorOf),
  'outgoing-hooks/delivery-log/delivery-filters.ts codesOf': url(codesOf),
  'outgoing-hooks/delivery-log/delivery-filters.ts retryFilterOf': body((text) =>
    retryFilterOf({ status: text, [text]: text }),
  ),
  'outgoing-hooks/delivery-log/delivery-filters.ts statusesOf': url(statusesOf),
  'outgoing-hooks/delivery-log/delivery-filters.ts timeOf': url((text) => timeOf('since', text)),
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
};
