import { applyTimeouts, type MysqlConnection } from './connection-timeouts.js';

/** Lets the timeout of a connection expire. Returns the arguments of each `destroy` of its socket. */
function afterTimeout(state: Pick<MysqlConnection, '_command' | '_closing'>): unknown[][] {
  const destroyed: unknown[][] = [];
  let onTimeout = (): void => undefined;
  const stream = {
    setTimeout: (_: number, listener: () => void) => (onTimeout = listener),
    destroy: (...args: unknown[]) => destroyed.push(args),
  };
  applyTimeouts({ ...state, stream, query: () => undefined } as unknown as MysqlConnection);
  onTimeout();
  return destroyed;
}

describe('a connection that has stopped answering', () => {
  it('is closed if a command is pending', () => {
    expect(afterTimeout({ _command: {} })).toEqual([[expect.objectContaining({ code: 'ETIMEDOUT' })]]);
  });

  it('is kept while idle', () => {
    expect(afterTimeout({})).toEqual([]);
  });

  it('is closed after `end`, which the server does not answer', () => {
    expect(afterTimeout({ _closing: true })).toEqual([[]]);
  });
});
