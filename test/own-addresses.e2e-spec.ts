import { AddressGuard } from '../src/delivery/outbound/address-guard.js';
import { OwnAddress } from '../src/delivery/outbound/own-address.js';
import { eventually, startTestServer, type TestServer } from './support/test-server.js';

describe('the addresses of the server', () => {
  let server: TestServer;
  let ports: number[];

  beforeAll(async () => {
    server = await startTestServer({ ALLOWED_INTERNAL_HOSTS: '127.0.0.0/8,::1' });
    ports = server.everywhere(OwnAddress).flatMap((own) => own.place.ports);
  });
  afterAll(() => server.close());

  const refused = (port: number): boolean[] =>
    server
      .everywhere(AddressGuard)
      .flatMap((guard) => ['127.0.0.1', '::1'].map((address) => !guard.allows('localhost', address, port)));

  it('are not called by any process, no matter which of them listens there', async () => {
    expect(new Set(ports).size).toBe(server.everywhere(OwnAddress).length);
    await eventually(() => ports.every((port) => refused(port).every(Boolean)));
    expect(refused(9).every((isRefused) => !isRefused)).toBe(true);
  });
});
