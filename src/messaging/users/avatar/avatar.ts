import { crc32, deflateSync } from 'node:zlib';
import { glyphOf, GLYPH_HEIGHT, GLYPH_WIDTH } from './glyphs.js';

const SIZE = 128;
const SCALE = 12;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = [
  0x1f6feb, 0x8250df, 0xbf3989, 0xcf222e, 0xbc4c00, 0x9a6700, 0x1a7f37, 0x0a7a76, 0x57606a, 0x3b5bdb,
];

/** A square PNG with the first letter of the name, on a background colour that depends on the id. */
export function drawAvatar(id: string, name: string): Buffer {
  const colour = COLOURS[sum(id) % COLOURS.length] ?? 0;
  const background = [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([1, 3, 0, 0, 0], 8); // one bit per pixel, with a palette
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...background, 255, 255, 255])),
    chunk('IDAT', deflateSync(pixels(glyphOf(name)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pixels(glyph: readonly number[]): Buffer {
  const stride = 1 + SIZE / 8; // each row starts with a filter byte; 0 means none
  const image = Buffer.alloc(stride * SIZE);
  const left = Math.floor((SIZE - GLYPH_WIDTH * SCALE) / 2);
  const top = Math.floor((SIZE - GLYPH_HEIGHT * SCALE) / 2);
  for (let y = 0; y < GLYPH_HEIGHT * SCALE; y++) {
    for (let x = 0; x < GLYPH_WIDTH * SCALE; x++) {
      const row = glyph[Math.floor(y / SCALE)] ?? 0;
      if (((row >> (GLYPH_WIDTH - 1 - Math.floor(x / SCALE))) & 1) === 0) continue;
      const at = (top + y) * stride + 1 + ((left + x) >> 3);
      image.writeUInt8(image.readUInt8(at) | (0x80 >> ((left + x) & 7)), at);
    }
  }
  return image;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function sum(text: string): number {
  return [...text].reduce((total, letter) => total + letter.charCodeAt(0), 0);
}
