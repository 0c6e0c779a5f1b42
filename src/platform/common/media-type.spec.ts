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
    'application/json; charset=utf-8 junk',
    'application/json; =x',
    'application/json; a="unclosed',
    'application/json; a="b\nc"',
  ])('tolerates the malformed parameter of %j, without parameters', (header) => {
    expect(parsed(header)).toEqual(['application/json', {}]);
  });

  it.each([
    'application/json wrongtext',
    'application/',
    '/json',
    'application json',
    ';charset=utf-8',
    'application/json, application/json',
    'application/json; charset=utf-8; CHARSET=utf-8',
  ])('refuses %j', (header) => {
    expect(() => parseMediaType(header)).toThrow(MediaTypeError);
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

  it('honours every charset that the runtime supports, and reports others', () => {
    expect(decodeText(Buffer.from([0x67, 0x72, 0xfc, 0x6e]), 'ISO-8859-1')).toBe('grün');
    expect(() => decodeText(Buffer.from('a'), 'klingon')).toThrow(
      new MediaTypeError('unknown charset "klingon"'),
    );
  });
});
