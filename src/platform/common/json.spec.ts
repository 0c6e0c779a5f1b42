import {
  decodeJson,
  endOfString,
  foldKeys,
  isJsonObject,
  JsonDecodeError,
  JsonSyntaxError,
  JsonTooDeepError,
  MAX_JSON_DEPTH,
  NulCharacterError,
  wellFormed,
} from './json.js';

describe('decodeJson', () => {
  it.each([
    ['{"a":[1,2,{"b":null}]}', { a: [1, 2, { b: null }] }],
    [' \r\n\t"text" ', 'text'],
    ['-1.5e3', -1500],
    ['null', null],
    ['[]', []],
  ])('decodes %j', (text, value) => {
    expect(decodeJson(text)).toEqual(value);
  });

  it.each([
    ['{"a":1}garbage', { a: 1 }],
    ['{"a":1}{"a":2}', { a: 1 }],
    ['{"a":"}]\\"}"} }', { a: '}]"}' }],
    [' [1]]', [1]],
    ['"a"b', 'a'],
    ['"a\\"b" c', 'a"b'],
    ['1 2', 1],
    ['-1.5e3x', -1500],
    ['true,', true],
    ['nullnull', null],
    ['  [1]]', [1]],
    ['1e+5 x', 100_000],
    ['1E10 x', 10_000_000_000],
    [`{"a":1}${'['.repeat(1000)}`, { a: 1 }],
    ['{"a":1}\0', { a: 1 }],
  ])('ignores what follows the first value: %j', (text, value) => {
    expect(decodeJson(text)).toEqual(value);
  });

  it.each([
    '',
    ' \n',
    '{',
    '[1,',
    '"abc',
    '["abc',
    '{"a":"abc',
    '{"a":1,}',
    'payload={}',
    '}',
    '[}',
    '\\',
    '{"a":"b\nc"}',
    '\ufeff',
  ])('refuses malformed %j', (text) => {
    expect(() => decodeJson(text)).toThrow(JsonSyntaxError);
  });

  it('drops a byte order mark', () => {
    expect(decodeJson('\ufeff{"a":1}')).toEqual({ a: 1 });
  });

  it('takes the last of equal keys', () => {
    expect(decodeJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it('reports the position of a syntax error without showing the text', () => {
    const refusal = thrownBy(() => decodeJson('{"token":"secret", oops}'));
    expect(refusal).toBeInstanceOf(JsonDecodeError);
    expect(refusal).toHaveProperty('name', 'JsonSyntaxError');
    expect(refusal).toHaveProperty('message', 'malformed JSON at position 19');
    expect(thrownBy(() => decodeJson('secret'))).toHaveProperty('message', 'malformed JSON');
    expect(thrownBy(() => decodeJson(''))).toHaveProperty('message', 'empty JSON text');
    expect(thrownBy(() => decodeJson(' \r\n\t'))).toHaveProperty('message', 'empty JSON text');
    expect(thrownBy(() => decodeJson('{"a":1,'))).toHaveProperty('message', 'malformed JSON at position 7');
    expect(thrownBy(() => decodeJson('"abc'))).toHaveProperty('message', 'malformed JSON at position 4');
    expect(thrownBy(() => decodeJson('['.repeat(101)))).toHaveProperty(
      'message',
      'JSON nested deeper than 100 levels',
    );
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
      const refusal = thrownBy(() => decodeJson(text));
      expect(refusal).toBeInstanceOf(NulCharacterError);
      expect(refusal).toBeInstanceOf(JsonDecodeError);
      expect(refusal).toHaveProperty('path', path);
      expect(refusal).toHaveProperty('message', path === '' ? 'NUL character' : `NUL character in ${path}`);
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

  it('agrees with JSON.parse on random values, no matter what follows them', () => {
    const random = randomFrom(7);
    for (let i = 0; i < 500; i++) {
      const value = randomJson(random, 4);
      const text = JSON.stringify(value, undefined, random() < 0.5 ? 2 : undefined);
      expect(decodeJson(text)).toEqual(value);
      expect(decodeJson(`${text} ${['}', ']', '"', '{"a":', 'x', '\\'][Math.floor(random() * 6)]}`)).toEqual(
        value,
      );
    }
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
  it('returns the same object if its keys are lower case', () => {
    const object = { text: 1, icon_url: 2 };
    expect(foldKeys(object)).toBe(object);
  });

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

describe('isJsonObject', () => {
  it('is true for objects only', () => {
    expect([{}, Object.create(null)].map(isJsonObject)).toEqual([true, true]);
    expect([[], null, 'a', 1, undefined].map(isJsonObject)).toEqual([false, false, false, false, false]);
  });
});

describe('wellFormed', () => {
  it('replaces text that UTF-8 cannot encode', () => {
    expect(wellFormed('a\ud800b🚀\udc00')).toBe('a\ufffdb🚀\ufffd');
    expect(wellFormed('plain')).toBe('plain');
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** mulberry32: a seeded random number generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function randomJson(random: () => number, depth: number): unknown {
  const pick = Math.floor(random() * (depth > 0 ? 7 : 5));
  const texts = ['', 'plain', '"', '\\', '}]{[', 'é🚀', '\n\t\u0001', '\\u0000'];
  const text = () => texts[Math.floor(random() * texts.length)]!;
  const few = () => Array.from({ length: Math.floor(random() * 4) });
  switch (pick) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return Math.floor(random() * 2000) - 1000;
    case 3:
      return random();
    case 4:
      return text();
    case 5:
      return few().map(() => randomJson(random, depth - 1));
    default:
      return Object.fromEntries(few().map((_, i) => [`${text()}${i}`, randomJson(random, depth - 1)]));
  }
}
