import { headersWithoutSecrets, MAX_BODY_BYTES, startOfBody } from './request-keeper.js';

describe('headersWithoutSecrets', () => {
  it.each([
    ...['authorization', 'cookie', 'x-api-key', 'x-gitlab-token', 'x-hub-signature-256', 'x-csrf'],
    ...['cf-access-jwt-assertion', 'x-forwarded-for', 'x-custom', 'event'],
  ])('omits %s', (name) => {
    expect(headersWithoutSecrets({ [name]: 'S', 'user-agent': 'curl' })).toEqual({ 'user-agent': 'curl' });
  });

  it.each(['Bearer abc', 'basic YTpi', 'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.'])(
    'omits %s under any name',
    (value) => {
      expect(headersWithoutSecrets({ 'x-request-id': value, accept: '*/*' })).toEqual({ accept: '*/*' });
    },
  );

  it.each([
    ...['x-github-event', 'x-github-delivery', 'x-github-hook-id', 'x-gitlab-event-uuid', 'x-event-key'],
    ...['x-hook-uuid', 'x-request-id', 'x-correlation-id', 'traceparent', 'date'],
  ])('keeps %s', (name) => expect(headersWithoutSecrets({ [name]: 'a' })).toEqual({ [name]: 'a' }));

  it('keeps harmless headers, and joins repeated ones', () => {
    const headers = { 'content-type': 'text/plain', 'idempotency-key': 'build-1', 'x-event': ['a', 'b'] };
    expect(headersWithoutSecrets(headers)).toEqual({ ...headers, 'x-event': 'a, b' });
  });
});

describe('startOfBody', () => {
  it.each(['', '{"text":"grün 👍"}', 'a\r\n\tb'])('keeps %j as text', (body) => {
    expect(startOfBody(Buffer.from(body))).toEqual({ body, encoding: 'utf8', isCut: false });
  });

  it.each([[[0xff, 0xfe]], [[0x61, 0]], [[0x1b]]])('keeps %j as bytes', (bytes) => {
    const body = Buffer.from(bytes);
    expect(startOfBody(body)).toEqual({ body: body.toString('base64'), encoding: 'base64', isCut: false });
  });

  it('keeps up to 64 KiB, and cuts longer texts between characters', () => {
    const whole = 'x'.repeat(MAX_BODY_BYTES);
    expect(startOfBody(Buffer.from(whole))).toEqual({ body: whole, encoding: 'utf8', isCut: false });
    expect(startOfBody(Buffer.from(`${whole}y`))).toEqual({ body: whole, encoding: 'utf8', isCut: true });
    const almost = 'x'.repeat(MAX_BODY_BYTES - 1);
    expect(startOfBody(Buffer.from(`${almost}👍`))).toEqual({ body: almost, encoding: 'utf8', isCut: true });
  });
});
