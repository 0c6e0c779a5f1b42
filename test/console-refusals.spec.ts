import { MEANINGS, refusalOf } from '../console/src/pages/connections/refusals.js';
import type { AppError } from '../src/platform/common/errors/app-error.js';
import {
  InvalidBodyParam,
  permissionDenied,
  ValidationFailed,
} from '../src/platform/common/errors/common-errors.js';
import { parseInvite, requirePassword } from '../src/remote-cluster/invite.js';
import { requireValidCluster } from '../src/remote-cluster/remote-cluster.rules.js';
import type { RemoteCluster } from '../src/remote-cluster/remote-cluster.entity.js';
import {
  acceptanceFailed,
  inviteKnown,
  inviteNotBase64,
  inviteOfOtherServer,
  inviteOfThisServer,
  inviteUnreadable,
  RemoteClusterNotFound,
  remoteClustersDisabled,
  siteUrlMissing,
  tooManyInvites,
} from '../src/remote-cluster/remote-clusters.errors.js';

const ID = 'x'.repeat(26);
const invite = { remote_id: ID, site_url: 'https://chat.example.com', token: ID };
const cluster = { name: 'office', displayName: 'Office', creatorId: ID, defaultTeamId: ID } as RemoteCluster;

/** A refused action of the server. */
function refused(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('It was not refused.');
}

/** Each error as the server creates it, the field next to which the console shows it, and its text there. */
const ERRORS: readonly (readonly [AppError, string | undefined, RegExp])[] = [
  [inviteNotBase64(), 'invite', /not a complete invite/],
  [inviteUnreadable(), 'password', /does not open this invite/],
  [refused(() => parseInvite(JSON.stringify({ ...invite, token: '' }))), 'invite', /content is not valid/],
  [inviteOfThisServer(), 'invite', /created by this server/],
  [inviteKnown(), 'invite', /already connected through this invite/],
  [inviteOfOtherServer(), 'invite', /led to another server/],
  [acceptanceFailed('The peer refused.', true), 'invite', /has expired, was already used/],
  [acceptanceFailed('The peer refused.'), undefined, /could not be reached/],
  [refused(() => requireValidCluster({ ...cluster, name: '' })), 'name', /64 characters/],
  [refused(() => requireValidCluster({ ...cluster, displayName: 'x'.repeat(65) })), 'name', /64 characters/],
  [refused(() => requireValidCluster({ ...cluster, defaultTeamId: 'x' })), 'team', /another team/],
  [new InvalidBodyParam('remoteCluster.default_team_id'), 'team', /not archived/],
  [refused(() => requirePassword('x'.repeat(1_025))), 'password', /1,024/],
  [siteUrlMissing(), undefined, /SITE_URL/],
  [tooManyInvites(60), undefined, /ten invites/],
  [remoteClustersDisabled(), undefined, /ENABLE_REMOTE_CLUSTERS/],
  [permissionDenied('manage_secure_connections'), undefined, /may not manage/],
];

describe('console messages for refused invites', () => {
  it.each(ERRORS.map(([error, field, says]) => [error.message, { error, field, says }] as const))(
    '%s',
    (_, { error, field, says }) => {
      expect(refusalOf(error)).toEqual({ field, meaning: expect.stringMatching(says) as string });
    },
  );

  it('have no unused explanations', () => {
    const reached = new Set(ERRORS.map(([error]) => refusalOf(error)?.meaning));
    const meanings = MEANINGS.flatMap(([, refusals]) => refusals.map(([, meaning]) => meaning));
    expect(meanings.filter((meaning) => !reached.has(meaning))).toEqual([]);
  });

  it('use the message of the server for other errors', () => {
    expect(refusalOf(new RemoteClusterNotFound())).toBeUndefined();
    expect(refusalOf(new ValidationFailed('other', 'name', 'it is taken'))).toBeUndefined();
    expect(refusalOf(new Error('The server cannot be reached.'))).toBeUndefined();
  });
});
