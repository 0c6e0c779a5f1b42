import { clientBlock, parseAddress } from './ip-address.js';

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['10.1.2.3:4711', '10.1.2.3'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2'],
  ['x10.1.2.3:1', 'unknown'],
  ['10.1.2.3:1x', 'unknown'],
  ['', 'unknown'],
  ['x'.repeat(5000), 'unknown'],
])('the block of %s is %s', (address, block) => expect(clientBlock(address)).toBe(block));

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['fe80::1%eth0', 'fe80::1'],
  ['2001:DB8::1', '2001:db8::1'],
])('%s is read as %s', (text, address) => expect(parseAddress(text).toString()).toBe(address));

it.each(['', 'localhost', '127.1', '0177.0.0.1', '0x7f.0.0.1', '1.2.3.4/8'])('%j is not an address', (text) =>
  expect(() => parseAddress(text)).toThrow('Not an IP address.'),
);
