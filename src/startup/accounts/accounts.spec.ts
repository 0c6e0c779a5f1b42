import { accountArguments } from './accounts.js';

const USAGE = 'create-admin NAME [--email ADDRESS] [--generate]';

describe('the arguments of a command about an account', () => {
  it('are a name, and an address for a new account', () => {
    expect(accountArguments(['Anna', '--email', 'anna@example.com'], USAGE)).toEqual({
      username: 'anna',
      email: 'anna@example.com',
      isGenerated: false,
    });
    expect(accountArguments(['--generate', 'anna'], USAGE)).toMatchObject({ isGenerated: true });
  });

  it.each([
    [[], /^The account name is missing\.\nUsage: hookline create-admin NAME /],
    [['anna', 'secret'], /^A password cannot be an argument/],
    [['anna', '--password=secret'], /^Unknown option '--password'/],
  ])('are refused otherwise: %j', (args, reason) => {
    expect(() => accountArguments(args, USAGE)).toThrow(reason);
  });

  it('change no address of an existing account', () => {
    expect(() => accountArguments(['anna', '--email=a@b.c'], 'reset-password NAME')).toThrow(
      /cannot be changed/,
    );
  });
});
