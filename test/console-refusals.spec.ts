import { refusalOf, RULES } from '../console/src/pages/connections/refusals.js';
import type { AppError } from '../src/platform/common/errors/app-error.js';
import {
  InvalidBodyParam,
  permissionDenied,
  ValidationFailed,
} from '../src/platform/common/errors/common-errors.js';
import { parseInvite } from '../src/remote-cluster/invite/invite.js';
import { requirePassword } from '../src/remote-cluster/invite/invite-password.js';
import { requireValidCluster } from '../src/remote-cluster/remote-cluster.rules.js';
import type { RemoteCluster } from '../src/remote-cluster/remote-cluster.entity.js';
import {
  acceptanceFailed,
  inviteNotBase64,
  inviteKnown,
  inviteOfOtherServer,
  inviteOfThisServer,
  inviteUnreadable,
  remoteClustersDisabled,
  RemoteClusterNotFound,
  siteUrlMissing,
  tooManyInvites,
} from '../src/remote-cluster/remote-clusters.errors.js';

const ID = 'x'.repeat(26);
const invite = { remote_id: ID, site_url: 'https://chat.example.com', token: ID };
const cluster = { name: 'office', displayName: 'Office', creatorId: ID, defaultTeamId: ID } as RemoteCluster;

/** What an act of the server refuses. */
function refused(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('It was not refused.');
}

/** Each error as the server makes it, the field beside which the console shows it, and what it says there. */
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

describe('what the console says of refused invites', () => {
  it.each(ERRORS.map(([error, field, says]) => [error.message, { error, field, says }] as const))(
    '%s',
    (_, { error, field, says }) => {
      expect(refusalOf(error)).toEqual({ field, meaning: expect.stringMatching(says) as string });
    },
  );

  it('has no explanation that nothing leads to', () => {
    const reached = new Set(ERRORS.map(([error]) => refusalOf(error)?.meaning));
    expect(RULES.map(([, , , meaning]) => meaning).filter((meaning) => !reached.has(meaning))).toEqual([]);
  });

  it('leaves other errors to the words of the server', () => {
    expect(refusalOf(new RemoteClusterNotFound())).toBeUndefined();
    expect(refusalOf(new ValidationFailed('other', 'name', 'it is taken'))).toBeUndefined();
    expect(refusalOf(new Error('The server cannot be reached.'))).toBeUndefined();
  });
});
