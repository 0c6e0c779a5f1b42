import { PassThrough } from 'node:stream';
import { readPassword } from './password-input.js';

function terminal() {
  const shown = new PassThrough();
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keys });
  const read = readPassword(keys, shown);
  const answer = async (line: string): Promise<void> => {
    await new Promise((resolve) => shown.once('readable', resolve));
    output += String(shown.read());
    keys.write(line);
  };
  let output = '';
  return { read, answer, output: () => output + String(shown.read() ?? '') };
}

describe('the password of a command', () => {
  it('is typed twice at a terminal, and never shown', async () => {
    const { read, answer, output } = terminal();
    await answer('correct horse\r');
    await answer('correct horse\r');
    expect(await read).toBe('correct horse');
    expect(output()).toBe('New password: \nAgain: \n');
  });

  it('is refused if both differ, or if the user cancels', async () => {
    const first = terminal();
    const refused = expect(first.read).rejects.toThrow('The two passwords differ');
    await first.answer('correct horse\r');
    await first.answer('correct hose\r');
    await refused;
    const second = terminal();
    const left = expect(second.read).rejects.toThrow('No password was given; nothing was changed.');
    await second.answer('\u0003');
    await left;
  });

  it.each([
    ['correct horse\n', 'correct horse'],
    [' spaces count ', ' spaces count '],
    ['windows\r\n', 'windows'],
  ])('is the only line of any other input: %j', async (text, password) => {
    expect(await readPassword(PassThrough.from([Buffer.from(text)]), new PassThrough())).toBe(password);
  });

  it.each([
    ['', 'no password'],
    ['\n', 'no password'],
    ['one\ntwo\n', 'one line'],
  ])('is refused without a line, or with more than one: %j', async (text, reason) => {
    const read = readPassword(PassThrough.from([Buffer.from(text)]), new PassThrough());
    await expect(read).rejects.toThrow(reason);
  });
});
