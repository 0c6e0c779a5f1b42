import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from './app.settings.js';
import { DispatchSettings } from './delivery/dispatch/dispatch.settings.js';
import { OutboundSettings } from './delivery/outbound/outbound.settings.js';
import { IncomingHooksSettings } from './incoming-hooks/incoming-hooks.settings.js';
import { PostsSettings } from './messaging/posts/posts.settings.js';
import { UsersSettings } from './messaging/users/users.settings.js';
import { OutgoingHooksSettings } from './outgoing-hooks/outgoing-hooks.settings.js';
import { RemoteClusterSettings } from './remote-cluster/remote-cluster.settings.js';
import { AuditSettings } from './platform/audit/audit.settings.js';
import { AllSettings } from './platform/config/all-settings.js';
import { type Env, readText, SettingError } from './platform/config/parse.js';
import { Settings } from './platform/config/settings.js';

const HOUR_MS = 3_600_000;

describe('the settings', () => {
  it('has a default for everything', () => {
    const all = readSettings({});
    expect(all.get(Settings)).toMatchObject({
      ...{ port: 8065, host: '127.0.0.1', siteUrl: 'http://localhost:8065' },
      ...{ databaseUrl: undefined, maxPayloadBytes: 300_000 },
    });
    expect(all.get(IncomingHooksSettings)).toMatchObject({
      enableIncomingWebhooks: true,
      incomingWebhooksPerTeam: 1_000,
      incomingWebhooksPerUser: 200,
      sharedWebhookDirectMessages: true,
    });
    expect(all.get(OutgoingHooksSettings)).toMatchObject({
      outgoingWebhooksPerTeam: 1_000,
      outgoingWebhooksPerUser: 200,
      outgoingPerMessage: 500,
      outgoingBytesPerMessage: 4 * 1024 * 1024,
    });
    expect(all.get(UsersSettings).enableOpenServer).toBe(false);
  });

  it('has the retention times and lifetimes that the documentation states', () => {
    const all = readSettings({});
    expect(all.get(DispatchSettings).retentionDays).toBe(30);
    expect(all.get(AuditSettings).auditRetentionMs).toBe(365 * 24 * HOUR_MS);
    expect(all.get(Settings).signingOverlapMs).toBe(24 * HOUR_MS);
    expect(all.get(RemoteClusterSettings)).toMatchObject({
      inviteTtlMs: 48 * HOUR_MS,
      peerOfflineAfterMs: 5 * 60_000,
    });
  });

  it('are exactly those in the documentation', () => {
    const page = readFileSync(join(__dirname, '..', 'docs', 'settings.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(documented.sort()).toEqual([...readSettings({}).names].sort());
  });

  it.each([
    ['PORT', 'eighty'],
    ['ENABLE_INCOMING_WEBHOOKS', 'maybe'],
    ['LOG_LEVEL', 'loud'],
    ['BOOTSTRAP', 'some'],
    ['MAX_PAYLOAD_BYTES', '1'],
    ['DATABASE_URL', 'postgres://localhost/x'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['SITE_URL', 'ftp://example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['OUTGOING_TIMEOUT', '30'],
    ['OUTGOING_TIMEOUT', '11m'],
    ['OUTGOING_SCHEDULE', '0s,soon'],
    ['OUTGOING_CONCURRENCY', '1'],
    ['OUTGOING_PER_ENDPOINT', '0'],
    ['OUTGOING_PER_MESSAGE', '0'],
    ['OUTGOING_BYTES_PER_MESSAGE', '1000'],
    ['OUTGOING_WEBHOOKS_PER_TEAM', '0'],
    ['INCOMING_WEBHOOKS_PER_USER', 'many'],
    ['OUTGOING_DISABLE_AFTER', '-1d'],
    ['SIGNING_OVERLAP', '24'],
    ['ALLOWED_INTERNAL_HOSTS', 'http://localhost'],
    ['ALLOWED_INTERNAL_HOSTS', '10.0.0.0/33'],
    ['ALLOWED_INTERNAL_HOSTS', 'localhost:65536'],
    ['ALLOWED_INTERNAL_HOSTS', '10.0.0.0:80/8'],
    ['DNS_SERVERS', 'dns.example'],
    ['RETENTION_DAYS', '0'],
    ['AUDIT_RETENTION', '30'],
    ['SECRET_KEY', 'too short'],
    ['WORKERS', '2'], // requires REDIS_URL
    ['REDIS_URL', 'redis://localhost'], // requires DATABASE_URL
  ])('refuses %s=%s with a sentence that names the variable', (name, value) => {
    const start = (): AllSettings => readSettings({ [name]: value });
    expect(start).toThrow(SettingError);
    expect(start).toThrow(name);
  });

  it('reads durations, hosts and name servers', () => {
    const all = readSettings({
      OUTGOING_TIMEOUT: '1500ms',
      OUTGOING_SCHEDULE: '0s, 5s,2h,1d',
      ALLOWED_INTERNAL_HOSTS: 'Build.Internal., 10.0.0.0/8, ::1, [fd00::]/8',
      DNS_SERVERS: '10.0.0.2, 10.0.0.3:5353, [::1]:53',
    });
    const outbound = all.get(OutboundSettings);
    expect(outbound.outgoingTimeoutMs).toBe(1_500);
    expect(all.get(DispatchSettings).outgoingScheduleMs).toEqual([0, 5_000, 7_200_000, 86_400_000]);
    expect(outbound.allowedInternalHosts.map(String)).toEqual([
      'build.internal',
      '10.0.0.0/8',
      '::1',
      'fd00::/8',
    ]);
    expect(outbound.dnsServers).toHaveLength(3);
    expect(new DispatchSettings({ OUTGOING_SCHEDULE: '' }).outgoingScheduleMs).toHaveLength(10);
  });

  it('reads a port after each kind of host', () => {
    const written =
      'Build.Internal.:80, 10.0.0.1:9000, 10.0.0.0/8:443, [::1]:9000, [fd00::]/8:1, [fd00::/16]:65535, ::1';
    const { allowedInternalHosts } = readSettings({ ALLOWED_INTERNAL_HOSTS: written }).get(OutboundSettings);
    expect(allowedInternalHosts.map(String)).toEqual([
      ...['build.internal:80', '10.0.0.1:9000', '10.0.0.0/8:443'],
      ...['[::1]:9000', '[fd00::]/8:1', '[fd00::]/16:65535', '::1'],
    ]);
  });

  it('reads how long audit rows are kept, including for ever', () => {
    const read = (text?: string): number => new AuditSettings({ AUDIT_RETENTION: text }).auditRetentionMs;
    expect([read(), read(''), read('30d')]).toEqual([31_536_000_000, 31_536_000_000, 2_592_000_000]);
    expect([read('0'), read('0d'), read('0s')]).toEqual([0, 0, 0]);
  });

  it('never repeats a secret in a refusal', () => {
    for (const env of [{ SECRET_KEY: 'hunter2' }, { DATABASE_URL: 'mysql://root:hunter2@localhost' }])
      expect(() => new Settings(env)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
      );
  });

  it('treats an empty SITE_URL as unset, and uses PORT in the default', () => {
    expect(new Settings({ SITE_URL: '' }).siteUrl).toBeUndefined();
    expect(new Settings({ PORT: '9000' }).siteUrl).toBe('http://localhost:9000');
    expect(new Settings({ SITE_URL: 'https://chat.example.com/' }).siteUrl).toBe('https://chat.example.com');
  });

  it('reads switches, lists and numbers', () => {
    const all = readSettings({
      ENABLE_OPEN_SERVER: 'TRUE',
      ENABLE_POST_ICON_OVERRIDE: '0',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
      PORT: '0',
    });
    const settings = all.get(Settings);
    expect(all.get(UsersSettings).enableOpenServer).toBe(true);
    expect(all.get(PostsSettings).enablePostIconOverride).toBe(false);
    expect(settings.trustedProxies).toEqual(['loopback', '10.0.0.0/8']);
    expect(settings.port).toBe(0);
  });

  it('reject a variable that two modules read', () => {
    class OtherSettings {
      readonly text: string;
      constructor(env: Env) {
        this.text = readText(env, 'HOST', '');
      }
    }
    expect(() => new AllSettings({}, [OtherSettings])).toThrow(
      'HOST is read by Settings and by OtherSettings.',
    );
  });
});
