import { clientAddressOf } from './client-address.js';

it.each([
  ['10.1.2.3', false, '10.1.2.3'],
  ['2001:db8:1:2::9', false, '2001:db8:1:2'],
  [undefined, false, 'unknown'],
  [undefined, true, ''],
])('a request from %s counts, locally %s, as %j', (ip, isLocal, address) =>
  expect(clientAddressOf({ ip, isLocal })).toBe(address),
);
