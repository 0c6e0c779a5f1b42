import dns from 'node:dns';
import { OutboundSettings } from './outbound.settings.js';
import { NameService } from './name-service.js';

const { Resolver } = dns.promises;
const names = new NameService(new OutboundSettings({}));
const failWith = (code: string) => (): Promise<never> =>
  Promise.reject(Object.assign(new Error(code), { code }));

describe('NameService', () => {
  let asked: jest.SpyInstance;

  beforeEach(() => {
    asked = jest.spyOn(dns, 'lookup');
  });
  afterEach(() => jest.restoreAllMocks());

  const serversSay = (v4: () => Promise<string[]>, v6: () => Promise<string[]>): void => {
    jest.spyOn(Resolver.prototype, 'resolve4').mockImplementation(v4);
    jest.spyOn(Resolver.prototype, 'resolve6').mockImplementation(v6);
  };
  const systemSays = (address: string): void => {
    asked.mockImplementation((_name, _options, callback) => callback(null, [{ address, family: 4 }]));
  };

  it.each(['localhost', 'LOCALHOST'])('knows %s from the system, whatever name servers say', async (name) => {
    serversSay(
      () => Promise.resolve(['192.0.2.1']),
      () => Promise.resolve([]),
    );
    const addresses = await names.addresses(name);
    for (const { address } of addresses) expect(address).toMatch(/^(?:127\.0\.0\.1|::1)$/);
    expect(addresses.length).toBeGreaterThan(0);
  });

  it('asks the name servers for both families, and not the system', async () => {
    serversSay(() => Promise.resolve(['192.0.2.1', '192.0.2.2']), failWith('ENODATA'));
    expect(await names.addresses('two.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
    ]);
    serversSay(failWith('ENODATA'), () => Promise.resolve(['2001:db8::1']));
    expect(await names.addresses('six.example')).toEqual([{ address: '2001:db8::1', family: 6 }]);
    expect(asked).not.toHaveBeenCalled();
  });

  it.each(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])('asks the system after %s', async (code) => {
    serversSay(failWith(code), failWith(code));
    systemSays('192.0.2.9');
    expect(await names.addresses('search.domain')).toEqual([{ address: '192.0.2.9', family: 4 }]);
  });

  it.each(['ETIMEOUT', 'ESERVFAIL', 'EREFUSED'])(
    'does not let the few threads of the system wait where a name server fails (%s)',
    async (code) => {
      serversSay(failWith(code), failWith(code));
      await expect(names.addresses('dead.example')).rejects.toMatchObject({
        errorClass: 'dns',
        message: `The host name cannot be resolved (${code}).`,
      });
      expect(asked).not.toHaveBeenCalled();
    },
  );
});
