import { recordedValues } from '../../../src/platform/audit/audit.interceptor.js';
import { decodeBody, toRequests } from '../../../src/platform/common/dto/body.pipe.js';
import * as params from '../../../src/platform/common/dto/params.js';
import { cleanPath, isUnclean, redirectToCleanPath } from '../../../src/platform/common/http/clean-path.js';
import { clientAddressOf } from '../../../src/platform/common/http/client-address.js';
import { requestContext } from '../../../src/platform/common/http/request-context.js';
import { idOf, isAlphanumeric, isId } from '../../../src/platform/common/ids.js';
import { clientBlock, givenAddress, parseAddress } from '../../../src/platform/common/ip-address.js';
import * as json from '../../../src/platform/common/json.js';
import { decodeText, parseMediaType } from '../../../src/platform/common/media-type.js';
import * as utf8 from '../../../src/platform/common/utf8.js';
import { visible } from '../../../src/platform/common/visible.js';
import { estimateBytes } from '../../../src/platform/database/estimate-bytes.js';
import { foldCase, foldedPosition } from '../../../src/platform/database/folded-text.js';
import { readableLine, shortened } from '../../../src/platform/logging/logger.js';
import { parseTraceparent } from '../../../src/platform/tracing/tracing.js';
import { parseInvite, requirePassword } from '../../../src/remote-cluster/invite.js';
import { frameOf, parseFrame } from '../../../src/remote-cluster/peer/frame.js';
import { parseReply } from '../../../src/remote-cluster/peer/peer-client.js';
import * as clusterRules from '../../../src/remote-cluster/remote-cluster.rules.js';
import * as siteUrl from '../../../src/remote-cluster/remote-cluster.rules.js';
import { candidateNames, parseChannelInvite } from '../../../src/shared-channels/invite.topic.js';
import { channelIdOf, parseSync } from '../../../src/shared-channels/sync/sync-message.js';
import {
  attempt,
  body,
  bytes,
  HEADER,
  header,
  list,
  object,
  type TextFunction,
  upTo,
  url,
  USER_ID,
} from './kinds.js';

/** The functions of the platform and of peers that take text from outside, by file and name. */
export const PLATFORM_FUNCTIONS: Readonly<Record<string, TextFunction>> = {
  'platform/logging/logger.ts readableLine': body((text) =>
    readableLine(JSON.stringify({ time: 1, level: 'warn', msg: text, stack: text })),
  ),
  'platform/audit/audit.interceptor.ts recordedValues': body((text) =>
    recordedValues(['a'], undefined, { a: text }, { a: text }),
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
  'platform/common/http/clean-path.ts cleanPath': url((text) => [cleanPath(text), cleanPath(`/${text}//`)]),
  'platform/common/http/clean-path.ts isUnclean': url(isUnclean),
  'platform/common/http/clean-path.ts redirectToCleanPath': url((text) =>
    redirectToCleanPath(undefined)(
      { url: `//${text}` } as never,
      { setHeader: () => undefined, end: () => undefined } as never,
      () => undefined,
    ),
  ),
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
  'platform/common/ip-address.ts givenAddress': header(givenAddress),
  'platform/common/json.ts decodeJson': body((text) => [
    attempt(() => json.decodeJson(text)),
    attempt(() => json.decodeJson(`"${text}"`)),
    attempt(() => json.decodeJson(JSON.stringify({ [text]: text, 'a\\u0000': [text] }))),
  ]),
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
  'platform/common/utf8.ts skipRunes': body((text) => utf8.skipRunes(text, 0, text.length / 2)),
  'platform/common/visible.ts visible': body(visible),
  'platform/database/estimate-bytes.ts estimateBytes': object(estimateBytes),
  'platform/database/folded-text.ts foldCase': body(foldCase),
  'platform/database/folded-text.ts foldedPosition': body((text) => [
    foldedPosition(text, 'x'),
    foldedPosition(text, `${text.slice(0, 200)}x`),
    foldedPosition(text, `x${text.slice(0, 200)}`),
  ]),
  'platform/logging/logger.ts shortened': body(shortened),
  'platform/tracing/tracing.ts parseTraceparent': header((text) => [
    parseTraceparent(text),
    parseTraceparent(`cc-${'a'.repeat(32)}-${'b'.repeat(16)}-00-${text}`),
  ]),
  'remote-cluster/invite.ts parseInvite': body((text) => [
    attempt(() => parseInvite(text)),
    attempt(() =>
      parseInvite(JSON.stringify({ remote_id: USER_ID, token: 'a', site_url: `http://${text}` })),
    ),
  ]),
  'remote-cluster/invite.ts requirePassword': upTo(1_024)(requirePassword),
  'remote-cluster/peer/frame.ts parseFrame': body((text) => parseFrame(bytes(text))),
  'remote-cluster/peer/frame.ts frameOf': body((text) =>
    frameOf({ remote_id: USER_ID, msg: { id: USER_ID, topic: text, payload: text } }),
  ),
  'remote-cluster/peer/peer-client.ts parseReply': body((text) => parseReply(bytes(text))),
  'remote-cluster/remote-cluster.rules.ts cleanName': body(clusterRules.cleanName),
  'remote-cluster/remote-cluster.rules.ts cleanDisplayName': body(clusterRules.cleanDisplayName),
  'remote-cluster/remote-cluster.rules.ts isPlainId': body(clusterRules.isPlainId),
  'remote-cluster/remote-cluster.rules.ts normalizeTopics': body(clusterRules.normalizeTopics),
  'remote-cluster/remote-cluster.rules.ts isPeerUrl': body(siteUrl.isPeerUrl, 'http://'),
  'remote-cluster/remote-cluster.rules.ts plainHost': body(siteUrl.plainHost),
  'remote-cluster/remote-cluster.rules.ts trimSiteUrl': body(siteUrl.trimSiteUrl, 'http:'),
  'remote-cluster/remote-cluster.rules.ts isSameSite': url((text) =>
    siteUrl.isSameSite(`http://a/${text}`, `http://a/${text}`),
  ),
  'remote-cluster/remote-cluster.rules.ts peerApiUrl': url((text) => siteUrl.peerApiUrl(text, 'ping')),
  'shared-channels/invite.topic.ts parseChannelInvite': body((text) =>
    parseChannelInvite({ channel_id: USER_ID, name: text, type: text, header: text }),
  ),
  'shared-channels/invite.topic.ts candidateNames': body((text) => candidateNames(text, text)),
  'shared-channels/sync/sync-message.ts parseSync': body((text) =>
    parseSync({ channel_id: USER_ID, users: { a: { id: USER_ID, username: text } }, posts: [{ id: text }] }),
  ),
  'shared-channels/sync/sync-message.ts channelIdOf': body((text) => channelIdOf({ channel_id: text })),
};
