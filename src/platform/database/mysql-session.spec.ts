import { Socket } from 'node:net';
import { applyTimeouts, CONNECTION_LIMITS, type MysqlConnection } from './mysql-session.js';

const streams: Socket[] = [];
/** Otherwise the timeouts would fire during other tests. */
afterEach(() => streams.splice(0).forEach((stream) => stream.setTimeout(0)));

/** A connection with timeouts applied, and the arguments of each `destroy` call on its socket. */
function limited(state: Pick<MysqlConnection, '_command' | '_closing'>) {
  const stream = new Socket();
  streams.push(stream);
  const destroyed: unknown[][] = [];
  const asked: unknown[] = [];
  jest.spyOn(stream, 'destroy').mockImplementation((...args) => {
    destroyed.push(args);
    return stream;
  });
  const connection = { ...state, stream, query: (sql: string) => asked.push(sql) };
  applyTimeouts(connection);
  return { connection, destroyed, asked };
}

describe('a connection that has stopped answering', () => {
  const stopped = [[expect.objectContaining({ code: 'ETIMEDOUT' })]];

  it.each([
    ['closed if a command is pending', { _command: {} }, stopped],
    ['kept while idle', {}, []],
    ['closed after `end`, which the server does not answer', { _closing: true }, [[]]],
  ])('is %s', (_, state, expected) => {
    const { connection, destroyed } = limited(state);
    connection.stream.emit('timeout');
    expect(destroyed).toEqual(expected);
  });

  it('is closed if a command was sent after an idle time', () => {
    const { connection, destroyed } = limited({});
    connection.stream.emit('timeout');
    Object.assign(connection, { _command: {} });
    connection.stream.emit('timeout');
    expect(destroyed).toEqual(stopped);
  });
});

it('a connection has limits at both ends, and closes before the database times it out', () => {
  const { connection, asked } = limited({});
  expect(connection.stream.timeout).toBe(15_000);
  expect(asked).toEqual(['SET SESSION wait_timeout = 20']);
  expect(CONNECTION_LIMITS.closeIdleAfterMs).toBeLessThan(CONNECTION_LIMITS.maxIdleSeconds * 1_000);
});
