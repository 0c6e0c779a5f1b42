import { type LimitChange, MAX_CHANGES, withChange, withChanges } from './limit-change.js';

const change = (fields: Partial<LimitChange>): LimitChange => ({
  ...{ at: 0, why: 'failed', times: 1, from: 8, to: 4, standing: 'suspect', pausedUntil: 0 },
  ...fields,
});

describe('the changes of a limit', () => {
  it('are kept with the newest first', () => {
    const changes = withChanges(
      [change({})],
      [change({ at: 2, why: 'spared' }), change({ at: 1, why: 'slow' })],
    );
    expect(changes.map(({ why }) => why)).toEqual(['spared', 'slow', 'failed']);
  });

  it('of one kind within a minute are one, from the first to the last', () => {
    const one = withChange(
      [change({ at: 1 })],
      change({ at: 60_000, from: 4, to: 2, times: 3, pausedUntil: 5 }),
    );
    expect(one).toEqual([change({ at: 1, times: 4, from: 8, to: 2, pausedUntil: 5 })]);
    expect(withChange(one, change({ at: 60_001 }))).toHaveLength(2);
    expect(withChange(one, change({ at: 2, why: 'answered' }))).toHaveLength(2);
  });

  it('are bounded', () => {
    let changes: readonly LimitChange[] = [];
    for (let minute = 0; minute < 2 * MAX_CHANGES; minute++)
      changes = withChange(changes, change({ at: minute * 60_000 }));
    expect(changes).toHaveLength(MAX_CHANGES);
    expect(changes[0]?.at).toBe((2 * MAX_CHANGES - 1) * 60_000);
  });
});
