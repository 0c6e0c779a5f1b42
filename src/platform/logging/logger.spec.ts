import { JsonLogger, logDestination } from './logger.js';

/** Longer than any line: two truncated fields plus their JSON overhead. */
const MAX_LINE = 64 * 1024;

describe('JsonLogger', () => {
  let lines: string[];
  let logger: JsonLogger;

  beforeEach(() => {
    lines = [];
    logger = new JsonLogger('trace', { write: (line) => lines.push(line) });
  });

  const huge = 'x'.repeat(300_000);
  const only = (): Record<string, unknown> => {
    expect(lines).toHaveLength(1);
    expect(lines[0]!.length).toBeLessThan(MAX_LINE);
    return JSON.parse(lines[0]!) as Record<string, unknown>;
  };

  it('logs short texts unchanged', () => {
    logger.warn('The name is taken.', 'Names');
    expect(only()).toMatchObject({ level: 'warn', context: 'Names', msg: 'The name is taken.' });
  });

  it.each(['log', 'error', 'warn', 'debug', 'verbose'] as const)('cuts a long message of %s', (level) => {
    logger[level](`begin ${huge}`, 'Names');
    const { msg } = only();
    expect(msg).toMatch(/^begin x+… \(\d+ more characters\)$/);
  });

  it('cuts a long stack, and the message of an error', () => {
    logger.error(new Error(huge));
    expect(only()['stack']).toMatch(/more characters/);
  });

  it('cuts every field of a line that is written directly', () => {
    logger.pino.info({ agent: huge, nested: { agent: huge }, list: [huge], count: 3 }, 'request');
    const { agent, nested, list, count } = only();
    expect([agent, nested, list].every((text) => typeof text === 'string' && text.length < 8_300)).toBe(true);
    expect(count).toBe(3);
  });
});

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
