import { apiDocument } from '../scripts/api-document.mjs';
import { checkAnswer, checkExchange } from './support/answer-check.mjs';
import type { Exchange } from './support/api-client.mjs';
import { takeFaults } from './support/faults.mjs';
import { findWrittenSecrets, handIn } from './support/secret-scan.mjs';
import { learnSecret } from './support/secrets.mjs';

const TEAM = Object.fromEntries(
  Object.entries<any>(apiDocument().components.schemas.TeamDto.properties).map(([name, { example }]) => [
    name,
    example,
  ]),
);
const ERROR = { id: 'an.error', message: 'No.', detailed_error: '', request_id: 'x', status_code: 404 };
const TOKEN = 'k1f8zcm5wtd5jfzn8u5fxpbkjy';
const PASSWORD = 'a "quoted" password';

function faultsOf(method: string, path: string, status: number, body: unknown, type = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  checkAnswer({ status, headers: { 'content-type': type }, text }, method, path);
  return takeFaults()
    .map(({ message }) => message)
    .join();
}

describe('a response', () => {
  it.each([
    ['of a route', 'GET', '/api/v4/teams/b1f8zcm5wtd5jfzn8u5fxpbkje?x=1', 200, TEAM],
    ['that is a list', 'GET', '/api/v4/teams', 200, [TEAM, TEAM]],
    ['that is an error', 'GET', '/api/v4/teams/b1f8zcm5wtd5jfzn8u5fxpbkje', 404, ERROR],
    ['of an unknown route', 'GET', '/api/v4/nothing', 404, ERROR],
    ['of a method that a route lacks', 'PATCH', '/api/v4/teams', 404, ERROR],
    ['to a HEAD request', 'HEAD', '/api/v4/teams', 200, ''],
  ])('can be one %s', (_, method, path, status, body) => {
    expect(faultsOf(method, path, status, body)).toBe('');
  });

  it.each([
    ['a status', 202, TEAM, /does not name this status/],
    ['an error', 429, ERROR, /does not name this status/],
    ['a field', 200, { ...TEAM, more: 1 }, /unevaluated properties more/],
    ['an error with a field', 404, { ...ERROR, more: 1 }, /unevaluated properties more/],
    ['a type', 200, { ...TEAM, create_at: '1' }, /\/create_at must be integer/],
    ['a null', 200, { ...TEAM, name: null }, /\/name must be string/],
    ['a choice', 200, { ...TEAM, type: 'X' }, /\/type must be equal to one of the allowed values/],
    ['text', 200, 'ok', /not JSON/],
  ])('cannot have %s that the document does not name', (_, status, body, fault) => {
    expect(faultsOf('GET', '/api/v4/teams/b1f8zcm5wtd5jfzn8u5fxpbkje', status, body)).toMatch(fault);
  });

  it('cannot lack a field, have a field of another type, or come from an undocumented route', () => {
    const { name, ...rest } = TEAM;
    expect(name).toBeTruthy();
    expect(faultsOf('GET', '/api/v4/teams', 200, [rest])).toMatch(/\/0 must have required property 'name'/);
    expect(faultsOf('GET', '/api/v4/teams', 200, 'x', 'text/plain')).toMatch(/text\/plain, not/);
    expect(faultsOf('GET', '/api/v4/nothing', 200, {})).toMatch(/no such route/);
    expect(faultsOf('GET', '/nothing', 200, 'x', 'text/html')).toMatch(/no such route/);
  });
});

describe('a secret', () => {
  const exchange = (path: string, answer: Partial<Exchange['answer']>, payload?: string): Exchange => ({
    ...{ method: 'POST', path, headers: {}, payload, isLocal: false, isBroken: false },
    answer: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      text: '',
      body: undefined,
      ...answer,
    },
  });
  const pass = (given: Exchange): void => {
    checkExchange(given);
    takeFaults(); // the bodies are incomplete
  };
  const id = (letter: string): string => letter.repeat(26);

  it.each([
    ['session token', id('a'), exchange('/api/v4/users/login', { headers: { token: id('a') } })],
    [
      'session token',
      id('b'),
      exchange('/x', { headers: { 'set-cookie': [`MMAUTHTOKEN=${id('b')}; Path=/`] as any } }),
    ],
    ['token', id('c'), exchange('/x', { text: `{"token":"${id('c')}"}` })],
    ['signing secret', 'whsec_abcdefgh', exchange('/x', { text: '{"signing_secret":"whsec_abcdefgh"}' })],
    ['password', PASSWORD, exchange('/x', {}, JSON.stringify({ password: PASSWORD }))],
    ['invite', 'bG9uZyBlbm91Z2g=', exchange('/x/generate_invite', { body: 'bG9uZyBlbm91Z2g=' })],
    ['id of an incoming webhook', id('d'), exchange('/api/v4/hooks/incoming', { body: [{ id: id('d') }] })],
  ])('is a %s that has passed', (kind, secret, passed) => {
    pass(passed);
    handIn('a log', ['harmless', JSON.stringify({ message: `x${secret}y` })]);
    const [fault = '', ...others] = findWrittenSecrets();
    expect(others).toEqual([]);
    expect(fault).toContain(`A secret (${kind}) is in a log: {"message":"x[${kind}]y"}`);
    expect(fault).not.toContain(secret);
    expect(findWrittenSecrets()).toEqual([]);
  });

  it('is searched for in errors, even where they quote the path', () => {
    learnSecret('token', TOKEN);
    const told = faultsOf('GET', '/api/v4/teams', 403, { ...ERROR, message: `Not with ${TOKEN}.` });
    expect(told).toContain('A secret (token) is in the error');
    expect(told).not.toContain(TOKEN);
    const quoted = { ...ERROR, id: 'api.context.404.app_error', detailed_error: `/api/v4/x/${TOKEN}` };
    expect(faultsOf('GET', `/api/v4/x/y`, 404, quoted)).toContain('A secret (token) is in the error');
  });
});
