import { sharedCountsOfOne } from '../../../test/support/shared-counts.js';
import { InviteLimiter } from './acceptance.service.js';

describe('InviteLimiter', () => {
  it('lets a caller try ten times in the minute that begins with the first', () => {
    const limiter = new InviteLimiter(sharedCountsOfOne());
    for (let at = 0; at < 10; at++) limiter.take('anna', at);
    expect(() => limiter.take('anna', 10)).toThrow('Too many invites');
    limiter.take('bert', 10);
    expect(() => limiter.take('anna', 59_999)).toThrow('Too many invites');
    for (let at = 60_000; at < 60_010; at++) limiter.take('anna', at);
    expect(() => limiter.take('anna', 60_010)).toThrow('Too many invites');
  });
});
