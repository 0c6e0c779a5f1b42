import { setImmediate as nextTurn } from 'node:timers/promises';
import { SharedChanges } from '../database/changes/shared-changes.js';
import type { Purge } from '../database/purge.js';
import type { Bus } from './bus.js';
import { ChangeKnocks } from './change-knocks.js';

describe('ChangeKnocks', () => {
  it('send one message per commit, and none while Redis is unreachable', async () => {
    const changes = new SharedChanges({} as never, {} as never, {} as never);
    const sent: string[] = [];
    const bus = {
      isConnected: false,
      publish: (topic: string) => sent.push(topic),
      subscribe: () => undefined,
    };
    const purge = { register: () => undefined };
    void new ChangeKnocks(changes, purge as unknown as Purge, bus as unknown as Bus);
    changes.onCommitted();
    await nextTurn();
    expect(sent).toEqual([]);
    bus.isConnected = true;
    changes.onCommitted();
    changes.onCommitted();
    await nextTurn();
    expect(sent).toEqual(['changes']);
  });
});
