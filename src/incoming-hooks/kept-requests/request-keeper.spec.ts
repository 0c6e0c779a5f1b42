import { Clock } from '../../platform/common/clock.js';
import { badRequest } from '../../platform/common/errors/common-errors.js';
import type { KeptRequest } from './kept-request.entity.js';
import { RequestKeeper } from './request-keeper.js';

const stored: KeptRequest[] = [];
let keeper: RequestKeeper;

beforeEach(() => {
  stored.length = 0;
  const engine = { open: () => ({ submit: async (request: KeptRequest) => void stored.push(request) }) };
  const repository = { shrinkAll: async () => undefined };
  keeper = new RequestKeeper(repository as never, new Clock(), engine as never);
});

const call = (hookId: string, length: number, requestId: string): void =>
  keeper.refused(
    {
      hookId,
      body: Buffer.alloc(length, 'a'),
      queryPayload: undefined,
      received: { requestId, headers: {} },
    },
    badRequest('refused for the test'),
  );

it('keeps the calls of a quiet webhook while another one is flooded', async () => {
  for (let n = 0; n < 3; n++) call('quiet', 100, `early ${n}`);
  for (let hook = 0; hook < 10; hook++)
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
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(['0 49', '5 49', '9 49']));
});

it('keeps the last mebibyte of a webhook', async () => {
  for (let n = 0; n < 40; n++) call('flooded', 64_000, `${n}`);
  await keeper.flush();
  const ids = stored.map(({ id }) => Number(id));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => 40 - ids.length + index));
  expect(ids.length).toBeGreaterThan(10);
  expect(ids.length * 64_000).toBeLessThan(1024 * 1024);
});
