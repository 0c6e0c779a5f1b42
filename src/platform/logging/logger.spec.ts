import { JsonLogger } from './logger.js';

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

  it('cuts a long context', () => {
    logger.warn('short', huge);
    expect(only()['context']).toMatch(/more characters/);
  });

  it('cuts every field of a line that is written directly', () => {
    logger.pino.info({ agent: huge, nested: { agent: huge }, list: [huge], count: 3 }, 'request');
    const { agent, nested, list, count } = only();
    expect([agent, nested, list].every((text) => typeof text === 'string' && text.length < 8_300)).toBe(true);
    expect(count).toBe(3);
  });
});
