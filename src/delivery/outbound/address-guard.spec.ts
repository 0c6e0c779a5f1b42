import os from 'node:os';
import { OutboundSettings } from './outbound.settings.js';
import { AddressGuard, isInternalUrl } from './address-guard.js';
import { OwnAddress } from './own-address.js';

const PORT = 80;
let own = new OwnAddress();
const guardFor = (allowed: string): AddressGuard =>
  new AddressGuard(new OutboundSettings({ ALLOWED_INTERNAL_HOSTS: allowed }), own);

describe('AddressGuard', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    own = new OwnAddress();
  });

  it('refuses the public addresses of this machine in any notation', () => {
    const face = { netmask: '', mac: '', internal: false, cidr: null };
    jest.spyOn(os, 'networkInterfaces').mockReturnValue({
      gone0: undefined,
      eth0: [
        { ...face, address: '198.41.0.4', family: 'IPv4' },
        { ...face, address: '2606:4700::1111', family: 'IPv6', scopeid: 0 },
      ],
    });
    const guard = guardFor('');
    for (const own of ['198.41.0.4', '::ffff:198.41.0.4', '64:ff9b::198.41.0.4', '2606:4700:0::1111'])
      expect(guard.allows('hook.example', own, PORT)).toBe(false);
    expect(guard.allows('hook.example', '198.41.0.5', PORT)).toBe(true);
    expect(guardFor('198.41.0.4').allows('hook.example', '198.41.0.4', PORT)).toBe(true);
  });

  it.each([
    ['hook.internal', 'hook.internal', '10.0.0.1', true],
    ['hook.internal', 'HOOK.internal.', '10.0.0.1', true],
    ['hook.internal', 'x.hook.internal', '10.0.0.1', false],
    ['hook.internal', 'hook.internal.example', '10.0.0.1', false],
    ['10.0.0.1', 'any.example', '10.0.0.1', true],
    ['10.0.0.1', 'any.example', '::ffff:10.0.0.1', true],
    ['10.0.0.1', 'any.example', '64:ff9b::10.0.0.1', false],
    ['10.0.0.1', '10.0.0.1', '10.0.0.2', false],
    ['10.0.0.5/30', 'any.example', '10.0.0.4', true],
    ['10.0.0.5/30', 'any.example', '10.0.0.8', false],
    ['10.0.0.255/32', 'any.example', '10.0.0.255', true],
    ['0.0.0.0/0', 'any.example', '127.0.0.1', true],
    ['0.0.0.0/0', 'any.example', '::1', false],
    ['::/0', 'any.example', '::1', true],
    ['::/0', 'any.example', '127.0.0.1', false],
    ['::/0', 'any.example', '::ffff:127.0.0.1', false],
    ['fd00:1::/33', 'any.example', 'fd00:1:7fff::1', true],
    ['fd00:1::/33', 'any.example', 'fd00:1:8000::1', false],
  ])('with %s allowed, for %s at %s: %s', (allowed, hostname, address, expected) => {
    expect(guardFor(allowed).allows(hostname, address, PORT)).toBe(expected);
  });

  it.each([
    ['hook.internal:9000', 'hook.internal', '10.0.0.1', [9000]],
    ['10.0.0.1:9000', 'any.example', '10.0.0.1', [9000]],
    ['10.0.0.0/8:9000, 10.0.0.1:80', 'any.example', '10.0.0.1', [80, 9000]],
    ['[::1]:9000', 'any.example', '::1', [9000]],
    ['[fd00::]/8:9000', 'any.example', 'fd00::1', [9000]],
    ['127.0.0.1:9000', 'any.example', '::ffff:127.0.0.1', [9000]],
    ['hook.internal', 'hook.internal', '10.0.0.1', [80, 443, 9000]],
  ])('with %s allowed, for %s at %s: the ports %j', (allowed, hostname, address, open) => {
    const guard = guardFor(allowed);
    expect([80, 443, 9000].filter((port) => guard.allows(hostname, address, port))).toEqual(open);
  });

  it("never allows the server's own ports at any address of the machine", () => {
    const face = { netmask: '', mac: '', internal: false, cidr: null };
    const faces = jest.spyOn(os, 'networkInterfaces').mockReturnValue({});
    const guard = guardFor('0.0.0.0/0, ::/0, chat.example, hook.example');
    const at = (hostname: string, address: string, port: number): boolean =>
      guard.allows(hostname, address, port);
    expect(at('hook.example', '127.0.0.1', 8065)).toBe(true); // it does not listen yet
    own.setSite(new URL('https://Chat.Example.'));
    own.add(8065);
    own.add(9100);
    for (const local of '127.0.0.1 127.8.8.8 0.0.0.0 :: ::1 ::ffff:127.0.0.1 64:ff9b::7f00:1'.split(' '))
      expect([8065, 9100, 8066].map((port) => at('hook.example', local, port))).toEqual([false, false, true]);
    for (const name of ['chat.example', 'CHAT.example.']) expect(at(name, '10.1.1.2', 8065)).toBe(false);
    expect([at('chat.example', '10.1.1.2', 8066), at('hook.example', '10.1.1.2', 8065)]).toEqual([
      true,
      true,
    ]);
    faces.mockReturnValue({ eth0: [{ ...face, address: '10.1.1.2', family: 'IPv4' }] });
    expect([at('hook.example', '10.1.1.2', 8065), at('hook.example', '10.1.1.2', 80)]).toEqual([false, true]);
  });

  it.each([
    ['https://Chat.Example./', 'chat.example', '8.8.8.8', 443],
    ['http://chat.example:8080', 'chat.example', '8.8.8.8', 8080],
    ['https://10.1.1.1', 'hook.example', '10.1.1.1', 443],
    ['http://[fd00::1]', 'hook.example', 'fd00::1', 80],
  ])(
    'never allows %s as SITE_URL, because a proxy may stand in front of the server',
    (url, name, address, port) => {
      const guard = guardFor('0.0.0.0/0, ::/0, chat.example, hook.example');
      own.add(8065);
      expect(guard.allows(name, address, port)).toBe(true);
      own.setSite(new URL(url));
      const open = [port, 8065, 444].filter((each) => guard.allows(name, address, each));
      expect(open).toEqual([444]);
    },
  );
});

describe('isInternalUrl', () => {
  it.each([
    ['http://10.0.0.7/hook', '', true],
    ['http://localhost:9000/', '', true],
    ['http://[::1]/', '', true],
    ['http://[::ffff:192.168.0.1]/', '', true],
    ['http://10.0.0.7:9000/', '10.0.0.0/8:9000', false],
    ['http://10.0.0.7:9001/', '10.0.0.0/8:9000', true],
    ['http://LOCALHOST/', 'localhost', false],
    ['https://198.41.0.4/', '', false],
    ['https://build.internal/', '', false], // not resolved
    ['no URL', '', false],
  ])('finds internal addresses: %s with ALLOWED_INTERNAL_HOSTS=%s', (url, allowed, isInternal) => {
    const { allowedInternalHosts } = new OutboundSettings({ ALLOWED_INTERNAL_HOSTS: allowed });
    expect(isInternalUrl(url, allowedInternalHosts)).toBe(isInternal);
  });
});
