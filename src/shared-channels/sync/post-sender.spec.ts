import { PostSender } from './post-sender.js';

const PEER = { id: 'peer' } as never;
const NONE = {} as never;

describe('PostSender', () => {
  it.each([
    ['again after a full batch', 100, 2],
    ['no more after a batch that is not full', 99, 1],
  ])('asks %s of refused posts', async (_, count, calls) => {
    const refused = Array.from({ length: count }, (_, at) => ({ subjectId: `${at}`, payload: {} }));
    const takeRefused = jest.fn().mockResolvedValue([]).mockResolvedValueOnce(refused);
    const sender = new PostSender(
      NONE,
      NONE,
      NONE,
      NONE,
      { takeRefused } as never,
      NONE,
      { find: () => Promise.resolve(null) } as never,
      { changes: { isShared: false }, afterCommit: (action: () => void) => action() } as never,
    );
    for (let answers = 0; answers < 3; answers++) await sender.resend(PEER, 'channel');
    expect(takeRefused).toHaveBeenCalledTimes(calls);
    for (const [, , , limit] of takeRefused.mock.calls) expect(limit).toBe(100);
  });
});
