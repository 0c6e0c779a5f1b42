import { JsonLogger, logDestination } from './logger.js';

describe('readable log lines', () => {
  let lines: string[];
  const at = (format: 'auto' | 'text' | 'json', isTTY: boolean): JsonLogger | undefined => {
    const destination = logDestination(format, { isTTY, write: (text) => lines.push(text) });
    return destination && new JsonLogger('info', destination);
  };
  beforeEach(() => {
    lines = [];
  });

  it('are used at a terminal or by the setting; elsewhere lines are JSON', () => {
    expect(at('auto', true)).toBeDefined();
    expect(at('text', false)).toBeDefined();
    expect(at('auto', false)).toBeUndefined();
    expect(at('json', true)).toBeUndefined();
  });

  it('contain the time, the level, the context and the message', () => {
    at('text', false)!.warn('The name is taken.', 'Names');
    expect(lines).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d WARN {2}\[Names\] The name is taken\.\n$/),
    ]);
  });

  it('contain the other fields by name', () => {
    at('text', false)!.pino.info({ peer: 'paris', count: 3, isBack: true }, 'back');
    expect(lines[0]).toMatch(/ INFO {2}back peer=paris count=3 isBack=true\n$/);
  });

  it('show a request in a readable form', () => {
    const fields = {
      request_id: 'abc',
      method: 'GET',
      route: '/api/v4/users/:user_id',
      status: 200,
      ms: 3.1,
    };
    at('text', false)!.pino.info(fields, 'request');
    expect(lines[0]).toMatch(/ INFO {2}GET \/api\/v4\/users\/:user_id 200 in 3\.1 ms request_id=abc\n$/);
  });

  it('show a stack below, indented', () => {
    at('text', false)!.error('It broke.', 'Error: It broke.\n    at here (file.ts:1)', 'Main');
    expect(lines[0]).toMatch(
      / ERROR \[Main\] It broke\.\n {4}Error: It broke\.\n {4}at here \(file\.ts:1\)\n$/,
    );
  });

  it('escape terminal control characters', () => {
    at('text', false)!.pino.info({ 'a\nb': '\u001b[2J' }, 'one\ntwo \u202e\u009b');
    expect(lines[0]).toMatch(/ INFO {2}one\\ntwo \\u202e\\u009b a\\nb=\\u001b\[2J\n$/);
  });
});
