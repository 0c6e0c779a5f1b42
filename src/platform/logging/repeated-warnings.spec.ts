import { Logger } from '@nestjs/common';
import { RepeatedWarnings } from './repeated-warnings.js';

describe('RepeatedWarnings', () => {
  let lines: string[];
  let warnings: RepeatedWarnings;

  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void lines.push(String(line)));
    warnings = new RepeatedWarnings('Calls', 'Requests');
  });

  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const note = (id: string, key = 'a'): void =>
    warnings.note({ key, id, text: (count) => `${key}: ${count}, the last ${id}.` });

  it('logs the first at once, and the others of a minute in one line', () => {
    for (const id of ['one', 'two', 'three']) note(id);
    expect(lines).toEqual(['a: 1, the last one. Requests: one']);
    jest.advanceTimersByTime(60_000);
    expect(lines.slice(1)).toEqual(['a: 2, the last three. Requests: two three']);
  });

  it('logs one line a minute for as long as it lasts, then stops its timer', () => {
    for (let second = 0; second < 180; second++) {
      note(`r${second}`);
      jest.advanceTimersByTime(1_000);
    }
    expect(lines).toHaveLength(4);
    jest.advanceTimersByTime(120_000);
    expect(jest.getTimerCount()).toBe(0);
    note('later');
    expect(lines.at(-1)).toBe('a: 1, the last later. Requests: later');
  });

  it('continues to count when a line has no room for more ids', () => {
    for (let number = 0; number < 1_001; number++) note(`r${number}`);
    jest.advanceTimersByTime(60_000);
    expect(lines[1]).toMatch(/^a: 1000, the last r1000\. Requests: r1 .* r200 …$/);
  });

  it('logs the rest of each key on flush', () => {
    for (const id of ['one', 'two']) note(id);
    note('other', 'b');
    warnings.flush();
    expect(lines.slice(1)).toEqual([
      'b: 1, the last other. Requests: other',
      'a: 1, the last two. Requests: two',
    ]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
