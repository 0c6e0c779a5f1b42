import { tooManyTestCalls } from '../outgoing-hooks.errors.js';
import { TestCallsService } from './test-calls.service.js';

describe('the limits of test calls', () => {
  let places: TestCallsService;
  let ends: (() => void)[];

  beforeEach(() => {
    places = new TestCallsService(...([] as unknown as ConstructorParameters<typeof TestCallsService>));
    ends = [];
  });

  const call = (user: number, endpoint: number): Promise<void> =>
    places.inSlot(
      `user${user}`,
      `https://e${endpoint}.example/${ends.length}?x`,
      () => new Promise((end) => ends.push(end)),
    );
  const refused = (user: number, endpoint: number, sentence: string): Promise<void> =>
    expect(call(user, endpoint)).rejects.toThrow(tooManyTestCalls(sentence));
  /** Starts calls and returns once all of them are running. */
  const start = (count: number, place: (index: number) => readonly [number, number]): Promise<void>[] =>
    Array.from({ length: count }, (_, index) => call(...place(index)));

  it('limits test calls per user, per endpoint and in total', async () => {
    const calls = start(4, (index) => [1, index]);
    await refused(1, 9, 'You have 4 test calls');
    calls.push(...start(7, (index) => [10 + index, 0]));
    await refused(20, 0, 'The endpoint has 8 test calls');
    calls.push(...start(21, (index) => [30 + index, 100 + index]));
    await refused(90, 90, 'The server has 32 test calls');
    for (const end of ends) end();
    await Promise.all(calls);
    const again = start(4, () => [1, 0]);
    await refused(1, 0, 'You have 4 test calls');
    for (const end of ends) end();
    await Promise.all(again);
  });

  it('releases the slot of a failed call', async () => {
    for (let each = 0; each < 40; each++)
      await expect(
        places.inSlot('user', 'https://example.com', () => Promise.reject(new Error('failed'))),
      ).rejects.toThrow('failed');
  });
});
