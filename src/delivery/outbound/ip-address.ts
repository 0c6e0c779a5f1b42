import { isIPv4, isIPv6 } from 'node:net';

/** An IP address as its bytes: 4 or 16. */
export type AddressBytes = readonly number[];

/** The bytes of an address in text form; a zone is left out. Throws when it is none. */
export function bytesOf(address: string): AddressBytes {
  const text = address.replace(/%.*$/, '');
  if (isIPv4(text)) return text.split('.').map(Number);
  if (!isIPv6(text)) throw new Error('Not an IP address.');
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const plain = dotted
    ? `${dotted[1]}${hex(Number(dotted[2]) * 256 + Number(dotted[3]))}:${hex(Number(dotted[4]) * 256 + Number(dotted[5]))}`
    : text;
  const [head = '', tail] = plain.split('::');
  const left = words(head);
  const right = tail === undefined ? [] : words(tail);
  const middle = new Array<number>(8 - left.length - right.length).fill(0);
  return [...left, ...middle, ...right].flatMap((word) => [word >> 8, word & 255]);
}

/** A network in CIDR form, or a single address. */
export class Network {
  private readonly bytes: AddressBytes;
  private readonly bits: number;

  constructor(text: string) {
    const [address = '', prefix] = text.split('/');
    this.bytes = bytesOf(address);
    this.bits = prefix === undefined ? this.bytes.length * 8 : Number(prefix);
  }

  has(address: AddressBytes): boolean {
    if (address.length !== this.bytes.length) return false;
    const whole = this.bits >> 3;
    for (let index = 0; index < whole; index++) if (address[index] !== this.bytes[index]) return false;
    const rest = this.bits & 7;
    if (rest === 0) return true;
    const mask = (255 << (8 - rest)) & 255;
    return ((address[whole] ?? 0) & mask) === ((this.bytes[whole] ?? 0) & mask);
  }
}

function words(text: string): number[] {
  return text === '' ? [] : text.split(':').map((word) => parseInt(word, 16));
}

function hex(value: number): string {
  return value.toString(16);
}
