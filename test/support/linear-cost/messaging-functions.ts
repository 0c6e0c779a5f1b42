import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientProps } from '../../../src/messaging/auth/client-props.js';
import { cookieValue, presentedToken, tokenHash } from '../../../src/messaging/auth/presented-token.js';
import * as channelRules from '../../../src/messaging/channels/channel.rules.js';
import { isOwnOrigin, serveWithoutUpgrade } from '../../../src/messaging/live/gateway/live-gateway.js';
import { splitRoles } from '../../../src/messaging/permissions/actor.js';
import {
  builtAttachments,
  checkedAttachments,
  normaliseAttachments,
  stripActionIntegrations,
} from '../../../src/messaging/posts/content/attachments.js';
import {
  extractHashtags,
  findChannelMentions,
  findMentions,
  isEveryone,
  mentionsEveryone,
} from '../../../src/messaging/posts/content/mentions.js';
import {
  changeOutsideCode,
  codeRanges,
  codeTest,
  rangeAt,
} from '../../../src/messaging/posts/content/code-ranges.js';
import { emojiImagePath, markdownLink } from '../../../src/messaging/posts/content/slack-text.js';
import * as literal from '../../../src/messaging/posts/content/literal-text.js';
import { hashOfKey } from '../../../src/messaging/posts/idempotency.service.js';
import * as props from '../../../src/messaging/posts/content/props.js';
import { linkUrl, pictureUrl, textLinkUrl } from '../../../src/messaging/posts/content/safe-url.js';
import * as slack from '../../../src/messaging/posts/content/slack-text.js';
import { splitContent, splitText } from '../../../src/messaging/posts/content/split.js';
import * as postRules from '../../../src/messaging/posts/posts.rules.js';
import {
  anyOf,
  fullTextQuery,
  isCompared,
  isTag,
  tagQuery,
  withIndexedWords,
} from '../../../src/messaging/posts/search/full-text-query.js';
import {
  dotted,
  hasTerm,
  includes,
  indexedWords,
  wordsIn,
} from '../../../src/messaging/posts/search/indexed-words.js';
import { parseSearchTerms } from '../../../src/messaging/posts/search/search-terms.js';
import { readWebhookMessage, withBlocks } from '../../../src/messaging/posts/webhook/webhook-message.js';
import {
  readSlackBlocks,
  textOfBlocks,
  unknownBlockTypes,
} from '../../../src/messaging/posts/webhook/slack-blocks.js';
import * as teamRules from '../../../src/messaging/teams/team.rules.js';
import { isBcryptHash, requireAcceptedHash } from '../../../src/messaging/users/passwords/password-hasher.js';
import * as userRules from '../../../src/messaging/users/user-rules.js';
import {
  attachment,
  body,
  bodyWith,
  header,
  list,
  object,
  type TextFunction,
  upTo,
  URL_LENGTH,
} from './kinds.js';

const LARGE = 'x'.repeat(150_000);
const usernameOf = (): string => 'ada';
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

const blocksOf = (text: string) => [
  { type: 'section', text: { type: 'mrkdwn', text }, fields: [{ text }] },
  {
    type: 'rich_text',
    elements: [
      { type: 'rich_text_quote', elements: [{ type: 'text', text, style: { bold: true } }] },
      { type: 'rich_text_section', elements: [{ type: 'link', text, url: text }] },
    ],
  },
];

/** The functions of messaging that take text from outside, by file and name. */
export const MESSAGING_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  'messaging/auth/client-props.ts clientProps': header((text) => clientProps(text, false)),
  'messaging/auth/presented-token.ts cookieValue': header((text) => cookieValue(text, 'MMAUTHTOKEN')),
  'messaging/auth/presented-token.ts presentedToken': header((text) => [
    presentedToken({ cookie: text, authorization: text }, '/'),
    presentedToken({ authorization: `Bearer ${text}` }, `/?${text.slice(0, URL_LENGTH)}&access_token=1`),
  ]),
  'messaging/auth/presented-token.ts tokenHash': header(tokenHash),
  'messaging/channels/channel.rules.ts isChannelName': body(channelRules.isChannelName),
  'messaging/channels/channel.rules.ts isDirectName': body(channelRules.isDirectName),
  'messaging/channels/channel.rules.ts groupName': list(channelRules.groupName),
  'messaging/channels/channel.rules.ts groupDisplayName': list(channelRules.groupDisplayName),
  'messaging/channels/channel.rules.ts requireValidHeader': upTo(1_024)(channelRules.requireValidHeader),
  'messaging/channels/channel.rules.ts changedNotifyProps': body((text) =>
    channelRules.changedNotifyProps({ [text]: text }, { [text]: text, desktop: text }),
  ),
  'messaging/live/gateway/live-gateway.ts isOwnOrigin': header((text) =>
    isOwnOrigin(`http://${text}`, text, 'http://example.com'),
  ),
  'messaging/live/gateway/live-gateway.ts serveWithoutUpgrade': header((text) =>
    serveWithoutUpgrade(
      { emit: () => true } as unknown as Server,
      { method: 'GET', url: '/', httpVersion: '1.1', rawHeaders: ['connection', text, text, text] } as never,
      { unshift: () => undefined } as unknown as Duplex,
      Buffer.alloc(0),
    ),
  ),
  'messaging/permissions/actor.ts splitRoles': body(splitRoles),
  'messaging/posts/content/attachments.ts checkedAttachments': list((words) =>
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
    100_000, // the maximum of a payload
  ),
  'messaging/posts/content/mentions.ts findChannelMentions': body((text) =>
    findChannelMentions([text, text]),
  ),
  'messaging/posts/content/code-ranges.ts codeRanges': body(codeRanges),
  'messaging/posts/content/code-ranges.ts rangeAt': body((text) =>
    rangeAt(codeRanges(text), text.length / 2),
  ),
  'messaging/posts/content/code-ranges.ts codeTest': body((text) => codeTest(text)(text.length / 2)),
  'messaging/posts/content/code-ranges.ts changeOutsideCode': body((text) =>
    changeOutsideCode(text, (part) => part),
  ),
  'messaging/posts/content/slack-text.ts emojiImagePath': body(emojiImagePath),
  'messaging/posts/content/mentions.ts extractHashtags': body(extractHashtags, '', '#'),
  'messaging/posts/content/literal-text.ts literalText': body(literal.literalText),
  'messaging/posts/content/literal-text.ts literalCode': body(literal.literalCode),
  'messaging/posts/content/literal-text.ts literalBlock': body(literal.literalBlock),
  'messaging/posts/content/literal-text.ts withoutNames': body(literal.withoutNames),
  'messaging/posts/content/literal-text.ts joinInline': list(literal.joinInline),
  'messaging/posts/content/slack-text.ts markdownLink': body((text) => [
    markdownLink(text, 'https://a.b'),
    markdownLink('a', `https://a.b/${text}`),
  ]),
  'messaging/posts/content/mentions.ts findMentions': body((text) => findMentions([text]), '', '@'),
  'messaging/posts/content/mentions.ts isEveryone': body(isEveryone),
  'messaging/posts/content/mentions.ts mentionsEveryone': body(mentionsEveryone, '', '@'),
  'messaging/posts/content/props.ts attachmentsOf': body((text) =>
    props.attachmentsOf({ attachments: text }),
  ),
  'messaging/posts/content/props.ts unreservedProps': object(props.unreservedProps),
  'messaging/posts/content/props.ts acceptedProps': object(props.acceptedProps),
  'messaging/posts/content/props.ts editedProps': object((sent) => props.editedProps(sent, sent)),
  'messaging/posts/content/props.ts propsOfSender': object(props.propsOfSender),
  'messaging/posts/idempotency.service.ts hashOfKey': body((text) => hashOfKey('scope', text)),
  'messaging/posts/content/props.ts remoteProps': object((sent) =>
    props.remoteProps({ ...sent, from_webhook: 'true', override_username: 'a' }, 'branch'),
  ),
  'messaging/posts/content/safe-url.ts linkUrl': body(linkUrl),
  'messaging/posts/content/safe-url.ts textLinkUrl': body(textLinkUrl),
  'messaging/posts/content/safe-url.ts pictureUrl': body(pictureUrl),
  'messaging/posts/content/slack-text.ts convertText': body(
    (text) => slack.convertText(text, usernameOf),
    '',
    '>',
  ),
  'messaging/posts/content/slack-text.ts convertAttachments': body((text) =>
    slack.convertAttachments(builtAttachments([attachment(text)]), usernameOf),
  ),
  'messaging/posts/content/slack-text.ts mentionedUserIds': body((text) =>
    slack.mentionedUserIds(text, builtAttachments([attachment(text)])),
  ),
  'messaging/posts/content/split.ts splitContent': list((words) =>
    splitContent({
      message: words.join(' '),
      props: { text: LARGE }, // otherwise nothing would be measured for short texts
      attachments: words.map((text) => ({ text })) as never,
    }),
  ),
  'messaging/posts/content/split.ts splitText': body((text) => splitText(text, 100)),
  'messaging/posts/posts.rules.ts isSystemType': body(postRules.isSystemType),
  'messaging/posts/posts.rules.ts requireValidMessage': body(postRules.requireValidMessage),
  'messaging/posts/posts.rules.ts requireValidProps': body((text) =>
    postRules.requireValidProps({ [text]: text }),
  ),
  'messaging/posts/posts.rules.ts requireValidType': body(postRules.requireValidType, 'custom_'),
  'messaging/posts/posts.rules.ts requireValidFileIds': list(postRules.requireValidFileIds),
  'messaging/posts/posts.rules.ts requireValidPendingPostId': body(postRules.requireValidPendingPostId),
  'messaging/posts/posts.rules.ts acceptedMetadata': body((text) =>
    postRules.acceptedMetadata({ priority: { priority: text } }, ''),
  ),
  'messaging/posts/search/full-text-query.ts anyOf': list(anyOf),
  'messaging/posts/search/full-text-query.ts fullTextQuery': list((words) =>
    fullTextQuery({ words, excluded: words, anyWord: false }),
  ),
  'messaging/posts/search/full-text-query.ts isCompared': body((text) => isCompared(text, 'mysql')),
  'messaging/posts/search/full-text-query.ts isTag': body(isTag),
  'messaging/posts/search/full-text-query.ts withIndexedWords': list((words) =>
    withIndexedWords(words, 'mysql'),
  ),
  'messaging/posts/search/full-text-query.ts tagQuery': body((text) => tagQuery(text, 'mysql')),
  'messaging/posts/search/indexed-words.ts dotted': list((words) => dotted(...words)),
  'messaging/posts/search/indexed-words.ts hasTerm': body((text) => hasTerm(text, 'term')),
  'messaging/posts/search/indexed-words.ts includes': body((text) => includes(text, '?')),
  'messaging/posts/search/indexed-words.ts indexedWords': body(indexedWords),
  'messaging/posts/search/indexed-words.ts wordsIn': body(wordsIn),
  'messaging/posts/search/search-terms.ts parseSearchTerms': header(parseSearchTerms),
  'messaging/posts/webhook/webhook-message.ts withBlocks': bodyWith(16)((text) =>
    withBlocks(text, {
      ...{ blocks: blocksOf(text), attachments: [{ blocks: blocksOf(text) }] },
      props: { mm_blocks: blocksOf(text) },
    }),
  ),
  'messaging/posts/webhook/slack-blocks.ts readSlackBlocks': bodyWith(5)((text) =>
    readSlackBlocks(blocksOf(text)),
  ),
  'messaging/posts/webhook/slack-blocks.ts unknownBlockTypes': bodyWith(5)((text) =>
    unknownBlockTypes([{ type: text }, ...blocksOf(text)]),
  ),
  'messaging/posts/webhook/slack-blocks.ts textOfBlocks': bodyWith(5)((text) => textOfBlocks(blocksOf(text))),
  'messaging/posts/webhook/webhook-message.ts readWebhookMessage': bodyWith(18)((text) =>
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
  'messaging/users/passwords/password-hasher.ts isBcryptHash': body(isBcryptHash, '$2b$10$'),
  'messaging/users/passwords/password-hasher.ts requireAcceptedHash': body((text) =>
    requireAcceptedHash('new_password', text),
  ),
  'messaging/users/user-rules.ts isUsernameShaped': body(userRules.isUsernameShaped),
  'messaging/users/user-rules.ts isEmail': body(userRules.isEmail, 'a@'),
  'messaging/users/user-rules.ts requireValidProfile': body((text) =>
    userRules.requireValidProfile({ ...profile(text), isBot: false }),
  ),
  'messaging/users/user-rules.ts botEmail': body(userRules.botEmail),
  // Always rejected: throwing is slower than the comparison.
  'messaging/users/user-rules.ts requireBotDescription': body(
    userRules.requireBotDescription,
    'x'.repeat(1_024),
  ),
  'messaging/users/user-rules.ts requireRolesFit': body(userRules.requireRolesFit),
  'messaging/users/user-rules.ts requirePasswordPolicy': body(userRules.requirePasswordPolicy),
  'messaging/users/user-rules.ts supportedLocale': body(userRules.supportedLocale),
  'messaging/users/user-rules.ts stringMap': object((sent) => userRules.stringMap('props', sent)),
  'messaging/users/user-rules.ts isRoleList': body(userRules.isRoleList),
};
