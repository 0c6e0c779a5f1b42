import { Replies } from './replies.js';

/** Receives and stores two replies with a text of this length. Returns the steps in order. */
async function storeTwo(length: number): Promise<string[]> {
  const done: string[] = [];
  const write = async (): Promise<never[]> => {
    done.push('begin');
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    done.push('end');
    return [];
  };
  const replies = new Replies(
    { find: async () => ({}), isArchived: async () => false } as never,
    { refusal: async () => undefined } as never,
    {} as never,
    { drafts: async () => [] } as never,
    { write } as never,
    { maxPayloadBytes: 300_000 } as never,
    {} as never,
  );
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(length) }));
  const receive = () =>
    replies.receive(
      {} as never,
      { body: { channel_id: 'c' }, replyPostId: '' } as never,
      { headers: {}, body, isCut: false } as never,
    );
  const receipts = [await receive(), await receive()];
  await Promise.all(receipts.map(async ({ store }) => store?.(() => [])));
  return done;
}

describe('replies', () => {
  it('are stored together', async () => {
    expect(await storeTwo(10)).toEqual(['begin', 'begin', 'end', 'end']);
  });

  it('are stored one by one when they are large', async () => {
    expect(await storeTwo(100_000)).toEqual(['begin', 'end', 'begin', 'end']);
  });
});
