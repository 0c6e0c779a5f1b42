import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { writeJson } from './responses.js';

const many = (count: number): object => ({ items: Array.from({ length: count }, (_, n) => ({ n })) });

describe('the tag of an answer', () => {
  let server: Server;
  let body: unknown;
  let status: number;

  beforeAll(async () => {
    server = createServer((_, response) => writeJson(response, status, body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  const ask = async (
    shown: unknown,
    { known = '', method = 'GET', as = 200 } = {},
  ): Promise<{ status: number; text: string; tag: string }> => {
    [body, status] = [shown, as];
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await fetch(url, { method, ...(known && { headers: { 'if-none-match': known } }) });
    return { status: answer.status, text: await answer.text(), tag: answer.headers.get('etag') ?? '' };
  };

  it.each([
    ['a short answer', { id: 'a' }, { id: 'b' }],
    ['a long answer', many(5_000), many(5_001)],
  ])('is that of the content: %s', async (_, value, other) => {
    const { tag, text } = await ask(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*'])
      expect(await ask(value, { known })).toEqual({ status: 304, text: '', tag });
    for (const known of ['"x"', tag.slice(1, -1), `${tag}x`, ' '])
      expect(await ask(value, { known })).toEqual({ status: 200, text, tag });
    const changed = await ask(other, { known: tag });
    expect([changed.status, changed.text]).toEqual([200, JSON.stringify(other)]);
    expect(changed.tag).not.toBe(tag);
  });

  it('is the same for HEAD', async () => {
    const { tag } = await ask({ id: 'a' });
    expect(await ask({ id: 'a' }, { method: 'HEAD' })).toEqual({ status: 200, text: '', tag });
    expect((await ask({ id: 'a' }, { method: 'HEAD', known: tag })).status).toBe(304);
  });

  it.each([
    ['an error', { as: 404 }],
    ['a report of 500', { as: 500 }],
    ['the answer to a POST', { method: 'POST' }],
    ['the answer to a DELETE', { method: 'DELETE' }],
  ])('is not given to %s', async (_, options) => {
    for (const value of [{ id: 'a' }, many(100)]) {
      const { tag, ...answer } = await ask(value, { ...options, known: '*' });
      expect(tag).toBe('');
      expect(answer).toEqual({ status: 'as' in options ? options.as : 200, text: JSON.stringify(value) });
    }
  });
});
