import { Clock } from '../../platform/common/clock.js';
import { BadRequest } from '../../platform/common/errors/common-errors.js';
import type { KeptRequest } from './kept-request.entity.js';
import { RequestKeeper } from './request-keeper.js';

it('keeps the calls of a quiet webhook while another one is flooded', async () => {
  const stored: KeptRequest[] = [];
  const engine = { open: () => ({ submit: async (request: KeptRequest) => void stored.push(request) }) };
  const repository = { shrinkAll: async () => undefined };
  const keeper = new RequestKeeper(repository as never, new Clock(), engine as never);
  const call = (hookId: string, length: number, requestId: string): void =>
    keeper.refused(
      {
        hookId,
        body: Buffer.alloc(length, 'a'),
        queryPayload: undefined,
        received: { requestId, headers: {} },
      },
      new BadRequest('refused on purpose'),
    );
  for (let n = 0; n < 3; n++) call('quiet', 100, `early ${n}`);
  for (let hook = 0; hook < 3; hook++)
    for (let n = 0; n < 50; n++) call(`flooded ${hook}`, 64_000, `${hook} ${n}`);
  for (let n = 0; n < 3; n++) call('quiet', 100, `late ${n}`);
  await keeper.flush();
  const ofQuiet = stored.filter(({ hookId }) => hookId === 'quiet');
  expect(ofQuiet.map(({ id }) => id)).toEqual([
    'early 0',
    'early 1',
    'early 2',
    'late 0',
    'late 1',
    'late 2',
  ]);
  const bytes = stored.reduce((sum, { content }) => sum + content.body.length, 0);
  expect(bytes).toBeLessThan(8 * 1024 * 1024);
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(['0 49', '1 49', '2 49']));
});
