import { databaseCode, isDatabaseUnavailable, isRefusedWrite } from './database-errors.js';

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

describe('a database error', () => {
  it.each([
    { code: 'ECONNREFUSED' },
    { code: 'ER_CLIENT_INTERACTION_TIMEOUT', errno: 4031 }, // MySQL, after wait_timeout
    { code: undefined, errno: 1927 }, // MariaDB, after KILL
    { code: undefined, errno: 3169 }, // MySQL, after KILL
    { code: undefined, errno: 4031 },
  ])('is an outage when it is %p, even as a cause', (fields) => {
    expect(isDatabaseUnavailable(failure(fields))).toBe(true);
    expect(isDatabaseUnavailable(failure({ driverError: failure(fields) }))).toBe(true);
  });

  it.each([{ code: 'ER_DUP_ENTRY', errno: 1062 }, { code: undefined, errno: 9999 }, {}])(
    'is not an outage when it is %p',
    (fields) => expect(isDatabaseUnavailable(failure(fields))).toBe(false),
  );

  it('distinguishes a read-only server from a lost one, whose commit may have succeeded', () => {
    expect(isRefusedWrite(failure({ code: 'ER_DISK_FULL' }))).toBe(true);
    for (const code of ['ECONNRESET', 'ER_SERVER_SHUTDOWN', 'ER_QUERY_INTERRUPTED'])
      expect(isRefusedWrite(failure({ code }))).toBe(false);
  });

  it('has its code by number if the driver does not know it', () => {
    expect(databaseCode(failure({ errno: 1927 }))).toBe('ER_CONNECTION_KILLED');
    expect(databaseCode(failure({ code: 'ER_PARSE_ERROR', errno: 1064 }))).toBe('ER_PARSE_ERROR');
  });
});
