import { merged, type StatusName, statusOf, type StatusRecord } from './statuses.service.js';

const chosen = (status: StatusName, at: number, dndEndTime = 0): StatusRecord => ({
  chosen: { status, at, dndEndTime },
});
const observed = (status: StatusName, at: number): StatusRecord => ({ observed: { status, at } });
const show = (record: StatusRecord, now = 1_000_000): string => {
  const { status, isManual } = statusOf('u', record, now);
  return `${status}${isManual ? ' by choice' : ''}`;
};

describe('status records', () => {
  it('keep a chosen status, unless it is online and a later activity was observed', () => {
    expect(show({})).toBe('offline');
    expect(show(observed('away', 1))).toBe('away');
    expect(show({ ...chosen('away', 1), ...observed('online', 2) })).toBe('away by choice');
    expect(show({ ...chosen('online', 1), ...observed('away', 2) })).toBe('away');
    expect(show({ ...chosen('online', 2), ...observed('away', 1) })).toBe('online by choice');
  });

  it('end dnd on time: the user is online until another status is observed', () => {
    const record = { ...chosen('dnd', 1, 500), ...observed('offline', 400_000) };
    expect(show(record, 499_999)).toBe('dnd by choice');
    expect(show(record, 500_000)).toBe('online');
    expect(show(merged(record, observed('offline', 500_001)), 600_000)).toBe('offline');
    expect(show(chosen('dnd', 1), 1e12)).toBe('dnd by choice');
  });

  it('return the last activity and the end of dnd', () => {
    expect(statusOf('u', observed('online', 7), 10)).toEqual({
      ...{ userId: 'u', status: 'online', isManual: false, lastActivityAt: 7, dndEndTime: 0 },
    });
    expect(statusOf('u', chosen('dnd', 7, 9), 10)).toMatchObject({ lastActivityAt: 7, dndEndTime: 9 });
  });

  it('do not depend on the order in which changes arrive', () => {
    const marks = [
      ...[observed('online', 1), chosen('dnd', 3), observed('offline', 4), chosen('online', 5)],
      ...[observed('away', 6), observed('online', 6), chosen('away', 5)],
    ];
    const orders = marks.map((_, index) => [...marks.slice(index), ...marks.slice(0, index)]);
    const results = [...orders, ...orders.map((order) => [...order].reverse())].map((order) =>
      show(order.reduce<StatusRecord>((record, mark) => merged(record, mark), {})),
    );
    expect(new Set(results)).toEqual(new Set(['online']));
  });
});
