import { accountArguments } from './accounts.js';

const USAGE = 'create-admin NAME [--email ADDRESS] [--generate]';

describe('the arguments of a command about an account', () => {
  it('are a name, and for a new account an address', () => {
    expect(accountArguments(['Anna', '--email', 'anna@example.com'], USAGE)).toEqual({
      username: 'anna',
      email: 'anna@example.com',
      isGenerated: false,
    });
    expect(accountArguments(['--generate', 'anna'], USAGE)).toMatchObject({ isGenerated: true });
  });

  it.each([
    [[], /^Name the account\.\nUsage: hookline create-admin NAME /],
    [['anna', 'secret'], /^A password is no argument/],
    [['anna', '--password=secret'], /^Unknown option '--password'/],
  ])('are refused otherwise: %j', (args, reason) => {
    expect(() => accountArguments(args, USAGE)).toThrow(reason);
  });

  it('change no address where there is none to change', () => {
    expect(() => accountArguments(['anna', '--email=a@b.c'], 'reset-password NAME')).toThrow(/not changed/);
  });
});
