import { SettingError } from './parse.js';
import { Settings } from './settings.js';

describe('Settings', () => {
  it('has a default for everything', () => {
    const settings = new Settings({});
    expect(settings.port).toBe(8065);
    expect(settings.host).toBe('127.0.0.1');
    expect(settings.siteUrl).toBe('http://localhost:8065');
    expect(settings.databaseUrl).toBeUndefined();
    expect(settings.enableIncomingWebhooks).toBe(true);
    expect(settings.enableOpenServer).toBe(false);
    expect(settings.maxPayloadBytes).toBe(300_000);
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['ENABLE_INCOMING_WEBHOOKS', 'maybe'],
    ['LOG_LEVEL', 'loud'],
    ['BOOTSTRAP', 'some'],
    ['MAX_PAYLOAD_BYTES', '1'],
    ['DATABASE_URL', 'postgres://localhost/x'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_URL', 'nonsense'],
    ['SITE_URL', 'ftp://example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['TRUSTED_PROXIES', 'proxy.example'],
  ])('refuses %s=%s with a sentence that names the variable', (name, value) => {
    const start = (): Settings => new Settings({ [name]: value });
    expect(start).toThrow(SettingError);
    expect(start).toThrow(name);
  });

  it('never repeats a database password in a refusal', () => {
    expect(() => new Settings({ DATABASE_URL: 'mysql://root:hunter2@localhost' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('takes an empty SITE_URL as unset, and follows PORT otherwise', () => {
    expect(new Settings({ SITE_URL: '' }).siteUrl).toBeUndefined();
    expect(new Settings({ PORT: '9000' }).siteUrl).toBe('http://localhost:9000');
    expect(new Settings({ SITE_URL: 'https://chat.example.com/' }).siteUrl).toBe('https://chat.example.com');
  });

  it('reads switches, lists and numbers', () => {
    const settings = new Settings({
      ENABLE_OPEN_SERVER: 'TRUE',
      ENABLE_POST_ICON_OVERRIDE: '0',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
      PORT: '0',
    });
    expect(settings.enableOpenServer).toBe(true);
    expect(settings.enablePostIconOverride).toBe(false);
    expect(settings.trustedProxies).toEqual(['loopback', '10.0.0.0/8']);
    expect(settings.port).toBe(0);
  });
});
