import type { Post } from '../post.entity.js';
import { channelStatements } from './post-rows.repository.js';
import type { Mentions, PendingRow } from './write-request.js';

let time = 0;

function row(userId: string, mentions?: Mentions, channelId = 'channel', marksViewed = true): PendingRow {
  const post = { userId, channelId, rootId: '', type: '', createAt: ++time, seq: time } as Post;
  return { post, mentions, marksViewed, isNow: true };
}

/** Returns the statements on channel members, in order. */
function onMembers(rows: readonly PendingRow[]): unknown[] {
  return channelStatements(rows)
    .filter(({ sql }) => sql.startsWith('UPDATE channel_members'))
    .map(({ sql, parameters }) =>
      sql.includes('last_viewed_at')
        ? ['viewed', ...parameters.slice(-2), parameters[0]]
        : ['mentioned', parameters[0], ...parameters.slice(2)],
    );
}

describe('channelStatements', () => {
  it('marks a channel as read once per author, at their last post', () => {
    const rows = [row('ann'), row('ann'), row('bob'), row('ann', undefined, 'other'), row('ann')];
    expect(onMembers(rows)).toEqual([
      ['viewed', 'channel', 'bob', rows[2]?.post.createAt],
      ['viewed', 'other', 'ann', rows[3]?.post.createAt],
      ['viewed', 'channel', 'ann', rows[4]?.post.createAt],
    ]);
  });

  it('counts mentions before and after the last post of a mentioned user, in this order', () => {
    const bob = { userIds: ['bob'], everyone: false };
    expect(onMembers([row('bob'), row('ann', bob), row('bob'), row('ann', bob)])).toEqual([
      ['mentioned', 1, 'channel', 'bob'],
      ['viewed', 'channel', 'bob', expect.any(Number)],
      ['mentioned', 1, 'channel', 'bob'],
      ['viewed', 'channel', 'ann', expect.any(Number)],
    ]);
  });

  it('counts the mentions of the same users once', () => {
    const everyone = { userIds: [], everyone: true };
    const toAll = (channelId: string) => row('hook', everyone, channelId, false);
    const bob = row('hook', { userIds: ['bob'], everyone: false }, 'channel', false);
    expect(onMembers([toAll('channel'), toAll('other'), toAll('channel'), bob, toAll('channel')])).toEqual([
      ['mentioned', 2, 'channel', 'hook'],
      ['mentioned', 1, 'channel', 'bob'],
      ['mentioned', 1, 'channel', 'hook'],
      ['mentioned', 1, 'other', 'hook'],
    ]);
  });

  it('marks nothing as read for a post without a user', () => {
    expect(onMembers([row('hook', undefined, 'channel', false)])).toEqual([]);
  });
});
