import { decodeText, MediaTypeError, parseMediaType } from './media-type.js';

const parsed = (header: string | undefined) => {
  const media = parseMediaType(header);
  return media && [media.type, Object.fromEntries(media.parameters)];
};

describe('parseMediaType', () => {
  it.each([undefined, '', '  '])('returns nothing for %j', (header) => {
    expect(parseMediaType(header)).toBeUndefined();
  });

  it.each([
    ['application/json', 'application/json', {}],
    ['AppLicaTion/x-www-Form-urlencoded', 'application/x-www-form-urlencoded', {}],
    ['application/json;charset=utf-8', 'application/json', { charset: 'utf-8' }],
    ['application/json; charset=UTF-8', 'application/json', { charset: 'UTF-8' }],
    ['text/plain ; Charset = "us-ascii" ; x=y', 'text/plain', { charset: 'us-ascii', x: 'y' }],
    ['application/json;', 'application/json', {}],
    ['application/json; charset=utf-8; ', 'application/json', { charset: 'utf-8' }],
    ['multipart/form-data; boundary="a\\"b;c"', 'multipart/form-data', { boundary: 'a"b;c' }],
    ['a/b; path="C:\\dev\\go"', 'a/b', { path: 'C:\\dev\\go' }],
    ['text', 'text', {}],
    ['weird/type+x', 'weird/type+x', {}],
  ])('reads %j', (header, type, parameters) => {
    expect(parsed(header)).toEqual([type, parameters]);
  });

  it.each([
    'application/json; charset',
    'application/json; charset=',
    'application/json; charset=utf-8; flag',
    'application/json; charset=utf-8 junk',
    'application/json; =x',
    'application/json; a="unclosed',
    'application/json; a="b\nc"',
  ])('tolerates the malformed parameter of %j, without parameters', (header) => {
    expect(parsed(header)).toEqual(['application/json', {}]);
  });

  it.each([
    'application/json wrongtext',
    'application/x-www-form-urlencoded wrongtext; charset=utf-8',
    'application/',
    '/json',
    'application/json/x',
    'application json',
    ';charset=utf-8',
    'application/json, application/json',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=utf-8; CHARSET=utf-8',
  ])('refuses %j', (header) => {
    expect(() => parseMediaType(header)).toThrow(MediaTypeError);
  });

  it('reads a long hostile header', () => {
    expect(parsed(`a/b${';'.repeat(16_000)}`)).toEqual(['a/b', {}]);
    expect(parsed(`a/b; x="${'\\'.repeat(16_000)}`)).toEqual(['a/b', {}]);
    expect(parsed(`a/b${' ;'.repeat(8_000)}x`)).toEqual(['a/b', {}]);
  });
});

describe('decodeText', () => {
  it.each([undefined, 'utf-8', 'UTF8', 'us-ascii', 'ASCII', ' utf-8 ', ''])(
    'reads UTF-8 for %j',
    (charset) => {
      expect(decodeText(Buffer.from('grün 🚀'), charset)).toBe('grün 🚀');
    },
  );

  it('replaces invalid UTF-8 and drops the byte order mark', () => {
    expect(decodeText(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x62]), undefined)).toBe('a\ufffdb');
  });

  it('honours every charset that the runtime supports', () => {
    expect(decodeText(Buffer.from([0x67, 0x72, 0xfc, 0x6e]), 'ISO-8859-1')).toBe('grün');
    expect(decodeText(Buffer.from('\ufeffgrün', 'utf16le'), 'utf-16')).toBe('grün');
  });

  it('reports an unknown charset', () => {
    expect(() => decodeText(Buffer.from('a'), 'klingon')).toThrow(
      new MediaTypeError('unknown charset "klingon"'),
    );
  });
});
