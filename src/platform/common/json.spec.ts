import fc from 'fast-check';
import {
  decodeJson,
  endOfString,
  foldKeys,
  JsonSyntaxError,
  JsonTooDeepError,
  MAX_JSON_DEPTH,
  NulCharacterError,
} from './json.js';

describe('decodeJson', () => {
  it.each([
    ['{"a":[1,2,{"b":null}]}', { a: [1, 2, { b: null }] }],
    [' \r\n\t"text" ', 'text'],
    ['-1.5e3', -1500],
    ['null', null],
    ['[]', []],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
  ])('decodes %j', (text, value) => {
    expect(decodeJson(text)).toEqual(value);
  });

  it.each([
    ['{"a":1}garbage', { a: 1 }],
    ['{"a":1}{"a":2}', { a: 1 }],
    ['{"a":"}]\\"}"} }', { a: '}]"}' }],
    ['"a"b', 'a'],
    ['"a\\"b" c', 'a"b'],
    ['-1.5e3x', -1500],
    ['nullnull', null],
    ['  [1]]', [1]],
    ['1e+5 x', 100_000],
    [`{"a":1}${'['.repeat(1000)}`, { a: 1 }],
    ['{"a":1}\0', { a: 1 }],
  ])('ignores what follows the first value: %j', (text, value) => {
    expect(decodeJson(text)).toEqual(value);
  });

  it.each(['', '{', '[1,', '"abc', '["abc', '{"a":1,}', 'payload={}', '[}', '{"a":"b\nc"}', '\ufeff'])(
    'refuses malformed %j',
    (text) => {
      expect(() => decodeJson(text)).toThrow(JsonSyntaxError);
    },
  );

  it('reports the position of a syntax error without showing the text', () => {
    for (const [text, message] of [
      ['{"token":"secret", oops}', 'malformed JSON at position 19'],
      ['secret', 'malformed JSON'],
      ['', 'empty JSON text'],
      [' \r\n\t', 'empty JSON text'],
      ['{"a":1,', 'malformed JSON at position 7'],
      ['"abc', 'malformed JSON at position 4'],
      ['['.repeat(101), 'JSON nested deeper than 100 levels'],
    ] as const)
      expect(() => decodeJson(text)).toThrow(message);
  });

  it.each(['__proto__', '\\u005f_proto__', '__proto\\u005F_'])('drops the key %s at any depth', (key) => {
    const member = `"${key}":{"admin":"A"}`;
    const value = decodeJson(`{${member},"a":[{${member},"b":{${member}}}]}`) as Record<string, unknown>;
    expect(JSON.stringify(value)).toBe('{"a":[{"b":{}}]}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value['admin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  describe('depth', () => {
    const nested = (open: string, core: string, close: string, depth: number) =>
      open.repeat(depth) + core + close.repeat(depth);

    it.each([
      ['arrays', '[', '1', ']'],
      ['objects', '{"a":', '1', '}'],
    ])('accepts %s up to the limit and refuses one more', (_kind, open, core, close) => {
      expect(decodeJson(nested(open, core, close, MAX_JSON_DEPTH))).toBeDefined();
      expect(() => decodeJson(nested(open, core, close, MAX_JSON_DEPTH + 1))).toThrow(JsonTooDeepError);
    });

    it('refuses mixed nesting, even in an unfinished text', () => {
      expect(() => decodeJson('[{"a":'.repeat(51))).toThrow(JsonTooDeepError);
      expect(() => decodeJson('['.repeat(300_000))).toThrow(JsonTooDeepError);
      expect(() => decodeJson('[{"a":'.repeat(51) + '1' + '}]'.repeat(51))).toThrow(JsonTooDeepError);
    });

    it('ignores brackets in strings and adjacent brackets', () => {
      expect(decodeJson(JSON.stringify({ a: '['.repeat(500), b: '\\"{'.repeat(200) }))).toBeDefined();
      const deep = JSON.parse(`[[],${nested('[', '1', ']', MAX_JSON_DEPTH - 1)}]`) as unknown;
      expect(decodeJson(JSON.stringify(deep))).toEqual(deep);
      const wide = Array.from({ length: 500 }, () => ({ a: [] }));
      expect(decodeJson(JSON.stringify(wide))).toEqual(wide);
    });
  });

  describe('NUL', () => {
    it.each([
      ['{"text":"a\\u0000b"}', 'text'],
      ['{"text":"a\0b"}', 'text'],
      ['{"attachments":[{"text":"\\u0000"}]}', 'attachments.0.text'],
      ['{"a":{"b\\u0000":1}}', 'a.b\\u0000'],
      ['{"a\0":1} trailing', 'a\\u0000'],
      ['"\\u0000"', ''],
    ])('is refused in %j', (text, path) => {
      expect(() => decodeJson(text)).toThrow(new NulCharacterError(path));
    });

    it('does not mistake an escaped backslash before u0000', () => {
      expect(decodeJson('{"a":"\\\\u0000"}')).toEqual({ a: '\\u0000' });
    });
  });

  it('replaces lone surrogates in values and keys, and keeps pairs', () => {
    expect(decodeJson('{"\\ud800k":["\\udc00","\\ud83d\\ude80"],"n":1}')).toEqual({
      '\ufffdk': ['\ufffd', '🚀'],
      n: 1,
    });
  });

  const withoutPrototype = (key: string, value: unknown): unknown =>
    key === '__proto__' ? undefined : value;
  it('agrees with JSON.parse on random values, no matter what follows them', () => {
    const rest = fc.constantFrom('', '}', ']', '"', '{"a":', 'x', '\\');
    fc.assert(
      fc.property(fc.json(), rest, (text, rest) => {
        expect(decodeJson(`${text} ${rest}`)).toEqual(JSON.parse(text, withoutPrototype));
      }),
    );
  });
});

describe('endOfString', () => {
  it.each([
    ['"a"', 0, 2],
    ['"a\\"b" ', 0, 5],
    ['"a\\\\" "', 0, 4],
    ['"\\\\\\""', 0, 5],
    ['"a', 0, -1],
    ['"a\\"', 0, -1],
    ['x "" y', 2, 3],
  ])('of %j from %d is %d', (text, open, close) => {
    expect(endOfString(text, open)).toBe(close);
  });
});

describe('foldKeys', () => {
  it('finds keys in any case; the last of several wins', () => {
    expect({ ...foldKeys({ TEXT: 1, Icon_URL: 2 }) }).toEqual({ text: 1, icon_url: 2 });
    expect({ ...foldKeys({ text: 1, TEXT: 2 }) }).toEqual({ text: 2 });
    expect({ ...foldKeys({ Text: 1, TEXT: 2 }) }).toEqual({ text: 2 });
  });

  it('lets no key reach a prototype', () => {
    const folded = foldKeys(
      decodeJson('{"__PROTO__":{"a":1},"__proto__":{"a":2}}') as Record<string, unknown>,
    );
    expect(Object.getPrototypeOf(folded)).toBeNull();
    expect(folded['a']).toBeUndefined();
  });
});
