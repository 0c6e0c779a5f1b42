import { TooManyInvites } from '../remote-clusters.errors.js';
import { InviteLimiter } from './invite-limiter.js';

describe('InviteLimiter', () => {
  it('lets a caller try ten times within a minute', () => {
    const limiter = new InviteLimiter();
    for (let at = 0; at < 10; at++) limiter.take('anna', at);
    expect(() => limiter.take('anna', 10)).toThrow(TooManyInvites);
    limiter.take('bert', 10);
    expect(() => limiter.take('anna', 59_999)).toThrow(TooManyInvites);
    limiter.take('anna', 60_000);
    expect(() => limiter.take('anna', 60_000)).toThrow(TooManyInvites);
    limiter.take('anna', 60_001);
  });
});
