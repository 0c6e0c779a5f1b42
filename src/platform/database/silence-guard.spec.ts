import { guardAgainstSilence, type MysqlConnection } from './silence-guard.js';

/** A guarded connection after 15 s of silence; gives what its socket was destroyed with. */
function afterSilence(state: Pick<MysqlConnection, '_command' | '_closing'>): unknown[][] {
  const destroyed: unknown[][] = [];
  let onSilence = (): void => undefined;
  const stream = {
    setTimeout: (_: number, listener: () => void) => (onSilence = listener),
    destroy: (...given: unknown[]) => destroyed.push(given),
  };
  guardAgainstSilence({ ...state, stream, query: () => undefined } as unknown as MysqlConnection);
  onSilence();
  return destroyed;
}

describe('a connection that has fallen silent', () => {
  it('fails with the command that waits for its answer', () => {
    expect(afterSilence({ _command: {} })).toEqual([[expect.objectContaining({ code: 'ETIMEDOUT' })]]);
  });

  it('is kept while it rests', () => {
    expect(afterSilence({})).toEqual([]);
  });

  it('is gone when it was taken leave of, though the other end never answers that', () => {
    expect(afterSilence({ _closing: true })).toEqual([[]]);
  });
});
