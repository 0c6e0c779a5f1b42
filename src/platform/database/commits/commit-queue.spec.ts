import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../common/errors/common-errors.js';
import type { Statement } from '../statement.js';
import type { CommitKind, Step } from './commit-kind.js';
import { CommitQueue } from './commit-queue.js';

/** A request is a string; each is one statement, and its result is the string in upper case. */
const texts: CommitKind<string, string> = {
  name: 'texts',
  prepare: (requests) => ({
    steps: requests.map((text) => ({ sql: text, parameters: [] })),
    results: () => requests.map((text) => text.toUpperCase()),
  }),
};

/** A fake database that records commits and behaves as `commit` says. */
class FakeDatabase {
  readonly batches: string[][] = [];
  readonly stored: string[] = [];
  commit: (batch: readonly string[]) => Promise<void> = async () => undefined;
  private running = 0;

  readonly run = async (steps: readonly Step[]): Promise<number[]> => {
    expect(++this.running).toBe(1);
    const batch = steps.map((step) => ('sql' in step ? step.sql : 'work'));
    this.batches.push(batch);
    await sleep(1);
    try {
      await this.commit(batch);
      this.stored.push(...batch);
      return batch.map(() => 1);
    } finally {
      this.running--;
    }
  };
}

const noUnitOfWork = {
  isOpen: false,
  manager: {} as never,
  afterCommit: (action: () => void) => action(),
  contribute: <T>(store: (statements: () => readonly Statement[]) => Promise<T>) => store(() => []),
};

function queueOf<R>(kind: Partial<CommitKind<string, R>> = {}): [CommitQueue<string, R>, FakeDatabase] {
  const database = new FakeDatabase();
  const whole = { ...texts, ...kind } as CommitKind<string, R>;
  return [new CommitQueue(whole, database.run, noUnitOfWork), database];
}

const failuresOf = async (promises: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(promises)).map((result) => result.status === 'rejected' && result.reason);

describe('requests that arrive together', () => {
  it('share a commit, and each gets its own result', async () => {
    const [queue, database] = queueOf();
    expect(await Promise.all(['a', 'b', 'c'].map((text) => queue.submit(text)))).toEqual(['A', 'B', 'C']);
    expect(database.batches).toEqual([['a', 'b', 'c']]);
  });

  it('share the next commit while one is running', async () => {
    const [queue, database] = queueOf();
    const first = queue.submit('a');
    await new Promise(setImmediate);
    expect(database.batches).toEqual([['a']]);
    await Promise.all([first, queue.submit('b'), queue.submit('c')]);
    expect(database.batches).toEqual([['a'], ['b', 'c']]);
    await queue.idle();
  });

  it('are committed in batches of bounded number and bytes; one above the bound alone', async () => {
    const MiB = 1024 * 1024;
    const [queue, database] = queueOf({ maxBatchRequests: 3, sizeOf: (text) => text.length * MiB });
    const sent = ['a', 'b', 'c', 'd', 'eeee', 'fffffffff', 'g'];
    await Promise.all(sent.map((text) => queue.submit(text)));
    expect(database.batches).toEqual([['a', 'b', 'c'], ['d'], ['eeee'], ['fffffffff'], ['g']]);
  });

  it('are committed as far as their kind accepts them, the others in order with the next commit', async () => {
    const [queue, database] = queueOf({
      prepare: async (requests, failures) => ({
        ...(await texts.prepare(requests.slice(0, 2), failures)),
        taken: 2,
      }),
    });
    database.commit = async (batch) => {
      if (batch.includes('c')) throw new TypeError('bad');
    };
    const sent = ['a', 'b', 'c', 'd', 'e'].map((text) => queue.submit(text));
    expect(await failuresOf(sent)).toEqual([false, false, new TypeError('bad'), false, false]);
    expect(await Promise.all([sent[0], sent[1], sent[3], sent[4]])).toEqual(['A', 'B', 'D', 'E']);
    expect(database.batches).toEqual([['a', 'b'], ['c', 'd'], ['c'], ['d'], ['e']]);
  });

  it('take turns by place while their kind does not accept all of them', async () => {
    const [queue, database] = queueOf({
      placeOf: ([place = '']) => place,
      prepare: async (requests, failures) => ({
        ...(await texts.prepare(requests.slice(0, 2), failures)),
        taken: 2,
      }),
    });
    const sent = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2'];
    const results = await Promise.all(sent.map((text) => queue.submit(text)));
    expect(results).toEqual(sent.map((text) => text.toUpperCase()));
    expect(database.batches).toEqual([
      ['a1', 'a2'],
      ['a3', 'b1'],
      ['c1', 'a4'],
      ['b2', 'a5'],
    ]);
  });

  it('yield the event loop between commits', async () => {
    const seen: string[] = [];
    const commit = async ([step]: readonly Step[]): Promise<number[]> => {
      seen.push(step && 'sql' in step ? step.sql : '');
      return [1];
    };
    const oneByOne: CommitKind<string, string> = { ...texts, maxBatchRequests: 1 };
    const queue = new CommitQueue(oneByOne, commit, noUnitOfWork);
    const all = Promise.all(['a', 'b', 'c'].map((text) => queue.submit(text)));
    for (let turn = 0; turn < 3; turn++) {
      await new Promise(setImmediate);
      seen.push('others');
    }
    await all;
    expect(seen).toEqual(['a', 'others', 'b', 'others', 'c', 'others']);
  });

  it('are refused above a limit of number or bytes, and accepted again afterwards', async () => {
    const [few] = queueOf({ maxWaitingRequests: 2, overloaded: () => new RangeError('too many') });
    const number = await failuresOf(['a', 'b', 'c'].map((text) => few.submit(text)));
    expect(number).toEqual([false, false, new RangeError('too many')]);
    expect(await few.submit('d')).toBe('D');

    const [small] = queueOf({ sizeOf: () => 100 * 1024 * 1024 });
    const bytes = await failuresOf(['a', 'b', 'c'].map((text) => small.submit(text)));
    expect(bytes).toEqual([false, false, expect.any(DatabaseUnavailable)]);
    expect(await small.submit('d')).toBe('D');
  });
});

describe('a request that fails', () => {
  it('fails alone, when it is prepared or when it is stored', async () => {
    const [queue, database] = queueOf({
      prepare: (requests, failures) => {
        if (requests.includes('bad')) throw new TypeError('bad');
        return texts.prepare(requests, failures);
      },
    });
    database.commit = async (batch) => {
      if (batch.includes('worse')) throw new TypeError('worse');
    };
    const sent = ['a', 'bad', 'b', 'worse', 'c'];
    const failures = await failuresOf(sent.map((text) => queue.submit(text)));
    expect(failures).toEqual([false, new TypeError('bad'), false, new TypeError('worse'), false]);
    expect(database.stored).toEqual(['a', 'b', 'c']);
  });

  it('because of an outage fails with all others, without a retry', async () => {
    const [queue, database] = queueOf();
    database.commit = async () => {
      throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    };
    const failures = await failuresOf([queue.submit('a'), queue.submit('b')]);
    expect(failures).toEqual([expect.any(DatabaseUnavailable), expect.any(DatabaseUnavailable)]);
    expect(database.batches).toHaveLength(1);
  });

  it('is retried for as long as its kind wants, then alone', async () => {
    const asked: number[] = [];
    const [queue, database] = queueOf({
      retry: async (_, failures) => (asked.push(failures), failures < 2),
    });
    database.commit = async (batch) => {
      if (batch.includes('bad')) throw new TypeError('bad');
    };
    expect(await failuresOf([queue.submit('a'), queue.submit('bad')])).toEqual([false, new TypeError('bad')]);
    expect(database.batches).toEqual([['a', 'bad'], ['a', 'bad'], ['a'], ['bad'], ['bad']]);
    expect(asked).toEqual([1, 2, 1, 2]);
  });
});

describe('a step after the commit', () => {
  it('that throws affects neither the others nor the result, and nothing is stored twice', async () => {
    const done: string[] = [];
    const [queue, database] = queueOf({
      prepare: (requests) => ({
        steps: requests.map((text) => ({ sql: text, parameters: [] })),
        afterCommit: [
          () => {
            throw new Error('failed for the test');
          },
          () => done.push('second'),
        ],
        observe: () => {
          throw new Error('also failed for the test');
        },
      }),
    });
    await Promise.all([queue.submit('a'), queue.submit('b')]);
    expect(done).toEqual(['second']);
    expect(database.batches).toEqual([['a', 'b']]);
  });
});

it('stores the additions of a caller with the request, and they fail together', async () => {
  const database = new FakeDatabase();
  const added = ['row of a', 'bad', 'row of c'].map((sql) => ({ sql, parameters: [] }));
  const contribute = <T>(store: (statements: () => readonly Statement[]) => Promise<T>): Promise<T> => {
    const statement = added.shift();
    return store(() => (statement ? [statement] : []));
  };
  database.commit = async (batch) => {
    if (batch.includes('bad')) throw new Error('a bad row');
  };
  const queue = new CommitQueue(texts, database.run, { ...noUnitOfWork, contribute });
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => queue.submit(text)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(database.stored).toEqual(['a', 'row of a', 'c', 'row of c', 'd']);
});

it('joins an open unit of work, and its last steps wait for that commit', async () => {
  const events: string[] = [];
  let committed = (): void => undefined;
  const unitOfWork = {
    ...noUnitOfWork,
    isOpen: true,
    afterCommit: (action: () => void) => (committed = action),
  };
  const kind: CommitKind<string, void> = {
    name: 'texts',
    prepare: (requests) => ({
      steps: [async () => void events.push(`write ${requests.join()}`)],
      afterCommit: [() => events.push('after')],
    }),
  };
  const commit = (): never => {
    throw new Error('no separate commit');
  };
  await new CommitQueue(kind, commit, unitOfWork).submit('a');
  expect(events).toEqual(['write a']);
  committed();
  expect(events).toEqual(['write a', 'after']);
});
