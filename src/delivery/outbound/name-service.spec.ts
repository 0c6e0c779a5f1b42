import dns from 'node:dns';
import files from 'node:fs/promises';
import { LocalNames } from './local-names.js';
import { NameService } from './name-service.js';
import { OutboundSettings } from './outbound.settings.js';

const { Resolver } = dns.promises;
const failWith = (code: string) => (): Promise<never> =>
  Promise.reject(Object.assign(new Error(code), { code }));
const found = (...addresses: string[]): Promise<dns.RecordWithTtl[]> =>
  Promise.resolve(addresses.map((address) => ({ address, ttl: 0 })));

describe('NameService', () => {
  let asked: jest.SpyInstance;
  let names: NameService;
  let content: Record<string, string>;

  beforeEach(() => {
    content = {};
    jest
      .spyOn(files, 'readFile')
      .mockImplementation((path) => Promise.resolve(content[path as string] ?? ''));
    asked = jest.spyOn(dns, 'lookup');
    names = new NameService(new OutboundSettings({}), new LocalNames());
  });
  afterEach(() => jest.restoreAllMocks());

  const serversSay = (
    v4: (name: string) => Promise<dns.RecordWithTtl[]>,
    v6: (name: string) => Promise<dns.RecordWithTtl[]>,
  ): jest.SpyInstance => {
    jest.spyOn(Resolver.prototype, 'resolve6').mockImplementation(v6);
    return jest.spyOn(Resolver.prototype, 'resolve4').mockImplementation(v4);
  };
  const systemSays = (address: string): void => {
    asked.mockImplementation((_name, _options, callback) => callback(null, [{ address, family: 4 }]));
  };

  it('prefers the hosts file', async () => {
    content['/etc/hosts'] =
      '# a comment\n10.0.0.1\tBox box.lan # more\n::2 box\n10.0.0.9 localhost\nnonsense x\n';
    const query = serversSay(() => found('192.0.2.1'), failWith('ENODATA'));
    const both = [
      { address: '10.0.0.1', family: 4 },
      { address: '::2', family: 6 },
    ];
    expect(await names.addresses('BOX')).toEqual(both);
    expect(await names.addresses('box.')).toEqual(both);
    expect(await names.addresses('box.lan')).toEqual([both[0]]);
    expect(await names.addresses('localhost')).toEqual([{ address: '10.0.0.9', family: 4 }]);
    expect(query).not.toHaveBeenCalled();
  });

  it('queries the name servers for both families instead of the system', async () => {
    serversSay(() => found('192.0.2.1', '192.0.2.2'), failWith('ENODATA'));
    expect(await names.addresses('two.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
    ]);
    serversSay(failWith('ENODATA'), () => found('2001:db8::1'));
    expect(await names.addresses('six.example')).toEqual([{ address: '2001:db8::1', family: 6 }]);
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([
    ['options ndots:1', 'box', ['box.one.example', 'box.two.example', 'box']],
    ['options ndots:0', 'box', ['box', 'box.one.example', 'box.two.example']],
    [
      'options timeout:9 ndots:5',
      'box.other',
      ['box.other', 'box.other.one.example', 'box.other.two.example'],
    ],
    ['', 'box.', ['box.']],
  ])('appends the search domains (%s) to %s', async (options, name, queries) => {
    content['/etc/resolv.conf'] = `nameserver 192.0.2.53\nsearch one.example two.example.\n${options}\n`;
    const query = serversSay(failWith('ENOTFOUND'), failWith('ENOTFOUND'));
    systemSays('192.0.2.9');
    await names.addresses(name).catch(() => undefined);
    expect(query.mock.calls.map(([each]) => each as string)).toEqual(queries);
    const last = queries.at(-1);
    serversSay(
      (each) => (each === last ? found('10.0.0.7') : failWith('ENOTFOUND')()),
      failWith('ENOTFOUND'),
    );
    expect(await names.addresses(name)).toEqual([{ address: '10.0.0.7', family: 4 }]);
  });

  it.each(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ECONNREFUSED'])(
    'asks the system for names that are not in public DNS, after %s',
    async (code) => {
      serversSay(failWith(code), failWith(code));
      systemSays('192.0.2.9');
      for (const name of ['printer', 'printer.local', 'printer.corp.internal', 'printer.home.arpa.'])
        expect(await names.addresses(name)).toEqual([{ address: '192.0.2.9', family: 4 }]);
    },
  );

  it.each(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED'])(
    'does not block the threads of the system resolver on slow name servers (%s)',
    async (code) => {
      serversSay(failWith(code), failWith(code));
      const refusal = { errorClass: 'dns', message: `The host name cannot be resolved (${code}).` };
      await expect(names.addresses('hook.slow.example')).rejects.toMatchObject(refusal);
      if (code === 'ETIMEOUT') await expect(names.addresses('printer')).rejects.toMatchObject(refusal);
      expect(asked).not.toHaveBeenCalled();
    },
  );

  it('asks the system for one name at a time', async () => {
    serversSay(failWith('ENOTFOUND'), failWith('ENOTFOUND'));
    const answers: (() => void)[] = [];
    asked.mockImplementation((_name, _options, callback) => {
      answers.push(() => callback(null, [{ address: '192.0.2.9', family: 4 }]));
    });
    const lookups = ['a', 'b', 'c'].map((name) => names.addresses(name));
    for (let each = 1; each <= 3; each++) {
      while (answers.length < each) await new Promise(setImmediate);
      await new Promise(setImmediate);
      expect(answers).toHaveLength(each);
      answers[each - 1]?.();
    }
    await Promise.all(lookups);
  });

  it('cancels lookups on shutdown', async () => {
    let cancelled: (() => void)[] = [];
    const pending = (): Promise<never> =>
      new Promise((_, reject) =>
        cancelled.push(() => reject(Object.assign(new Error('cancelled'), { code: 'ECANCELLED' }))),
      );
    const query = serversSay(pending, pending);
    jest.spyOn(Resolver.prototype, 'cancel').mockImplementation(() => {
      for (const cancel of cancelled) cancel();
      cancelled = [];
    });
    const lookup = names.addresses('silent.example');
    while (query.mock.calls.length === 0) await new Promise(setImmediate);
    names.onApplicationShutdown();
    await expect(lookup).rejects.toMatchObject({ errorClass: 'dns' });
    expect(query).toHaveBeenCalledTimes(1);
  });
});
