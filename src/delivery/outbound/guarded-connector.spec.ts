import { once } from 'node:events';
import net, { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import type { MetricsService } from '../../platform/metrics/metrics.service.js';
import { AddressGuard } from './address-guard.js';
import { GuardedConnector } from './guarded-connector.js';
import type { Address } from './local-names.js';
import type { NameService } from './name-service.js';
import { OutboundFailure } from './outbound-failure.js';
import { OutboundSettings } from './outbound.settings.js';
import { OwnAddress } from './own-address.js';
import type { ProxyTunnel } from './proxy-tunnel.js';

const PUBLIC = '198.41.0.4';
const LOOPBACK = '127.0.0.1';

/** An address that changes each time it is read, up to the last one. */
function turning(...addresses: readonly string[]): Address {
  const left = [...addresses];
  return {
    family: 4,
    get address() {
      return (left.length > 1 ? left.shift() : left[0]) ?? '';
    },
  };
}

describe('GuardedConnector', () => {
  let server: Server;
  let accepted: Socket[];
  let own: OwnAddress;

  beforeEach(async () => {
    accepted = [];
    own = new OwnAddress();
    server = createServer((socket) => accepted.push(socket.on('error', () => undefined)));
    await once(server.listen(0, LOOPBACK), 'listening');
  });
  afterEach(async () => {
    for (const socket of accepted) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  const connectorFor = (allowed: string, addresses: () => Promise<readonly Address[]>): GuardedConnector =>
    new GuardedConnector(
      new AddressGuard(new OutboundSettings({ ALLOWED_INTERNAL_HOSTS: allowed }), own),
      { addresses, isLocal: async () => true } as Partial<NameService> as NameService,
      { registry: new Registry() } as MetricsService,
    );

  const connect = (connector: GuardedConnector, hostname: string, tunnel?: ProxyTunnel): Promise<Socket> => {
    const { port } = server.address() as AddressInfo;
    const options = { hostname, host: hostname, protocol: 'http:', port: `${port}` };
    return new Promise((resolve, reject) =>
      connector.build(2_000, tunnel)(options, (error, socket) => (error ? reject(error) : resolve(socket))),
    );
  };

  it('checks the address of the open connection, no matter what was checked before', async () => {
    // The name is checked once and dialed afterwards.
    const connector = connectorFor('', async () => [turning(PUBLIC, LOOPBACK)]);
    await expect(connect(connector, 'hook.example')).rejects.toMatchObject({ errorClass: 'refused_address' });
    expect(connector.openCount).toBe(0);
    if (accepted.length === 0) await once(server, 'connection');
    const [socket] = accepted;
    const received: Buffer[] = [];
    socket!.on('data', (chunk: Buffer) => received.push(chunk));
    if (!socket!.destroyed) await once(socket!, 'close');
    expect(received).toEqual([]);
  });

  it('connects to an address that both checks allow, and counts the open connection', async () => {
    const connector = connectorFor(LOOPBACK, async () => [turning(LOOPBACK)]);
    const socket = await connect(connector, 'hook.example');
    expect(socket.remoteAddress).toBe(LOOPBACK);
    expect(connector.openCount).toBe(1);
    socket.destroy();
    await once(socket, 'close');
    expect(connector.openCount).toBe(0);
  });

  it('refuses its own ports with a clear message', async () => {
    const connector = connectorFor(LOOPBACK, async () => [turning(LOOPBACK)]);
    own.add((server.address() as AddressInfo).port);
    const self = {
      errorClass: 'refused_address',
      message: 'The host is, or resolves to, this server itself, which it never calls.',
    };
    for (const host of ['hook.example', LOOPBACK])
      await expect(connect(connector, host)).rejects.toMatchObject(self);
    expect(accepted).toEqual([]);
    // Also if another address of the name, or the open connection, reveals it.
    const among = connectorFor(LOOPBACK, async () => [turning(PUBLIC), turning(LOOPBACK)]);
    await expect(connect(among, 'hook.example')).rejects.toMatchObject(self);
    const open = connectorFor(LOOPBACK, async () => [turning(PUBLIC, LOOPBACK)]);
    await expect(connect(open, 'hook.example')).rejects.toMatchObject(self);
  });

  it('refuses its own ports under local names even if a proxy resolves names', async () => {
    const { port } = server.address() as AddressInfo;
    const open = jest.fn(async () => net.connect(port, LOOPBACK));
    const tunnel = { doesResolve: true, open } as Partial<ProxyTunnel> as ProxyTunnel;
    const connector = connectorFor('localhost', async () => [turning(LOOPBACK)]);
    (await connect(connector, 'localhost', tunnel)).destroy();
    expect(open).toHaveBeenCalledWith('localhost', port, expect.anything());
    own.add(port);
    await expect(connect(connector, 'localhost', tunnel)).rejects.toMatchObject({ isSelf: true });
    expect(open).toHaveBeenCalledTimes(1);
  });

  it('connects to a name with Node versions that try only one address', async () => {
    const tries = net.getDefaultAutoSelectFamily();
    net.setDefaultAutoSelectFamily(false);
    try {
      const connector = connectorFor(LOOPBACK, async () => [turning(LOOPBACK)]);
      const socket = await connect(connector, 'hook.example');
      expect(socket.remoteAddress).toBe(LOOPBACK);
      socket.destroy();
    } finally {
      net.setDefaultAutoSelectFamily(tries);
    }
  });

  it('resolves a name once for simultaneous connections, and again later', async () => {
    const addresses = jest.fn(async () => [turning(LOOPBACK)]);
    const connector = connectorFor(LOOPBACK, addresses);
    const names = ['hook.example', 'hook.example', 'other.example'];
    const sockets = await Promise.all(names.map((name) => connect(connector, name)));
    expect(addresses.mock.calls).toEqual([['hook.example'], ['other.example']]);
    expect(connector.openCount).toBe(3);
    sockets.push(await connect(connector, 'hook.example'));
    expect(addresses).toHaveBeenCalledTimes(3);
    for (const socket of sockets) socket.destroy();
  });

  it.each([
    [20, true],
    [21, false],
  ])('reaches address number %i of a name: %p', async (place, isReached) => {
    // Nothing listens on the other addresses.
    const dead = Array.from({ length: place - 1 }, (_, index) => turning(`127.0.1.${index + 1}`));
    const connector = connectorFor('127.0.0.0/8', async () => [...dead, turning(LOOPBACK)]);
    const attempt = connect(connector, 'hook.example');
    if (!isReached) return expect(attempt).rejects.toThrow();
    (await attempt).destroy();
  });

  it.each([
    ['dns', 'Unknown.', () => Promise.reject(new OutboundFailure('dns', 'Unknown.'))],
    ['dns', 'The host name has no address.', async () => []],
    [
      'refused_address',
      'The host is, or resolves to, an internal address that ALLOWED_INTERNAL_HOSTS does not contain.',
      async () => [turning('10.0.0.1')],
    ],
  ])('describes a failed lookup: %s, %s', async (errorClass, message, addresses) => {
    const attempt = connect(connectorFor('', addresses), 'hook.example');
    await expect(attempt).rejects.toMatchObject({ errorClass, message });
  });

  it('does not return a connection that has closed in the meantime', async () => {
    const real = net.connect.bind(net) as (...args: unknown[]) => Socket;
    const spy = jest.spyOn(net, 'connect').mockImplementation((...args: unknown[]) => {
      const socket = real(...args);
      return socket.once('connect', () => socket.destroy());
    });
    try {
      const connector = connectorFor(LOOPBACK, async () => [turning(LOOPBACK)]);
      await expect(connect(connector, 'hook.example')).rejects.toMatchObject({
        errorClass: 'reset',
        message: 'The connection was closed before the reply was complete.',
      });
      expect(connector.openCount).toBe(0);
    } finally {
      spy.mockRestore();
    }
  });
});
