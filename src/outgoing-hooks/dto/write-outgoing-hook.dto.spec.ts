import { execFileSync } from 'node:child_process';
import { patchCommand } from './write-outgoing-hook.dto.js';

const ID = 'b1f8zcm5wtd5jfzn8u5fxpbkje';

/** Splits a command into words with a real shell. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

describe('patchCommand', () => {
  it.each([
    ['trigger_words', ['!deploy', "it's", '$(id) `id` "x"']],
    ['trigger_when', 1],
    ['content_type', 'application/json'],
  ])('quotes %s for the shell', (field, value) => {
    const words = wordsOf(patchCommand('https://chat.example.com', ID, field, value));
    expect(words.slice(0, 3)).toEqual(['curl', '-X', 'PATCH']);
    expect(words.at(-1)).toBe(`https://chat.example.com/api/v4/hooks/outgoing/${ID}`);
    expect(JSON.parse(words.at(-2)!)).toEqual({ [field]: value });
  });

  it('repeats neither URLs nor long values', () => {
    expect(patchCommand('', ID, 'callback_urls', ['https://x.example/secret'])).not.toContain('secret');
    expect(patchCommand('', ID, 'trigger_words', ['x'.repeat(1_000)])).not.toContain('xxx');
  });
});
