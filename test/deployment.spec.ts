import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { readSettings } from '../src/app.settings.js';

interface Service {
  readonly command?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly ports?: readonly string[];
  readonly restart?: string;
  readonly security_opt?: readonly string[];
  readonly volumes?: readonly string[];
}

const read = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');
const compose = read('docker/compose.yaml');
const scaled = read('docker/compose.scaled.yaml');
const proxy = read('docker/haproxy.cfg');
const image = read('docker/Dockerfile');
const page = read('docs/deploy.md');

describe('the deployment files', () => {
  it('pin every image to a release', () => {
    const images = [
      ...image.matchAll(/^FROM (\S+)/gm),
      ...`${compose}\n${scaled}`.matchAll(/^ +image: (\S+:\S+)/gm),
    ];
    expect(images.map(([, name]) => name)).toHaveLength(6);
    for (const [, name] of images) expect(name).toMatch(/:\d+\.\d+\.\d+(-slim)?$/);
  });

  it('have no default password', () => {
    for (const file of [compose, scaled]) expect(file).not.toMatch(/(?:PASSWORD|KEY):-[^}]/);
    for (const name of ['MYSQL_PASSWORD', 'REDIS_PASSWORD', 'SECRET_KEY']) {
      expect(read('docker/hookline.env.example')).toMatch(new RegExp(`^(?:# )?${name}=$`, 'm'));
      expect(scaled).toContain(`$\${${name}:?is not set in docker/hookline.env}`);
    }
  });

  it('pass every setting, and give the container no privileges', () => {
    expect(compose.match(/^ +env_file: hookline\.env$/gm)).toHaveLength(2);
    for (const line of ['read_only: true', 'cap_drop:\n      - ALL', 'no-new-privileges:true'])
      expect(compose).toContain(line);
    for (const flag of ['--read-only', '--cap-drop ALL', '--security-opt no-new-privileges'])
      expect(page).toContain(flag);
  });

  it('use existing settings', () => {
    const known = readSettings({}).names;
    const named = [...page.matchAll(/(?:^|[\s`])([A-Z][A-Z_]{3,})=\S/gm)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => name !== 'NODE_ENV' && !known.has(name))).toEqual([]);
  });

  it('forward WebSocket upgrades', () => {
    expect(page).toMatch(
      /proxy_set_header Upgrade \$http_upgrade;\n +proxy_set_header Connection \$connection_upgrade;/,
    );
  });

  it('build the image from files in its context', () => {
    const reaching = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const copied = [...image.matchAll(/^COPY (?!--from)(?:--\S+ )?(.+) \S+$/gm)].flatMap(([, files]) =>
      files!.split(' '),
    );
    expect(copied).toEqual(expect.arrayContaining(['src', 'scripts/hookline.mjs']));
    expect(copied.filter((file) => !reaching.includes(file))).toEqual([]);
  });

  it('use existing commands', () => {
    const commands = [...read('scripts/hookline.mjs').matchAll(/^ {2}'?([a-z-]+)'?: \[/gm)].map(
      ([, name]) => name,
    );
    expect(commands).toContain('reset-password');
    const named = [page, compose, scaled, image.replaceAll('", "', ' ')].flatMap((text) => [
      ...text.replace(/docker exec (-it )?hookline /g, '').matchAll(/[\s="`]hookline ([a-z][a-z-]+)/g),
    ]);
    expect(named.length).toBeGreaterThan(8);
    const unknown = named.map(([, name]) => name!).filter((name) => ![...commands, 'help'].includes(name));
    expect(unknown).toEqual([]);
  });
});

describe('docker/compose.scaled.yaml', () => {
  const { services, volumes } = load(scaled) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };
  const apps = Object.keys(services).filter((name) => name.startsWith('app'));

  it('names existing services and volumes', () => {
    for (const [name, service] of Object.entries(services)) {
      const needed = service.depends_on ?? [];
      for (const other of Array.isArray(needed) ? needed : Object.keys(needed))
        expect(Object.keys(services)).toContain(other);
      for (const volume of service.volumes ?? [])
        if (!volume.startsWith('./')) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
      expect([name, service.security_opt]).toEqual([name, ['no-new-privileges:true']]);
      expect([name, service.restart]).toEqual([name, 'unless-stopped']);
    }
  });

  it('checks the health of each service, and waits for dependencies', () => {
    for (const [name, { healthcheck }] of Object.entries(services))
      expect([name, healthcheck?.test.length]).toEqual([name, expect.any(Number)]);
    for (const app of apps)
      expect(services[app]!.depends_on).toEqual({
        mysql: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
      });
  });

  it('has three processes behind one port, with addresses from existing settings', () => {
    expect(apps).toEqual(['app1', 'app2', 'app3']);
    expect([...proxy.matchAll(/^ {2}server (\w+) (\w+):8065$/gm)].map(([, , host]) => host)).toEqual(apps);
    expect(Object.keys(services).filter((name) => services[name]!.ports)).toEqual(['proxy']);
    const named = [...scaled.matchAll(/[ ;]([A-Z_]+)="[a-z]+:\/\//g)].map(([, name]) => name!);
    expect(named).toEqual(['DATABASE_URL', 'REDIS_URL']);
    const set = [...named, ...Object.keys(services['app1']!.environment!)];
    expect(set.filter((name) => !readSettings({}).names.has(name))).toEqual([]);
  });

  it('starts a Redis that evicts nothing', () => {
    const [, , command] = services['redis']!.command as string[];
    expect(command).toContain('"maxmemory-policy noeviction"');
  });

  it('exits without required variables before anything starts', () => {
    for (const service of ['app1', 'redis']) {
      const [shell, ...args] = services[service]!.command as string[];
      const { status, stderr } = spawnSync(
        shell!,
        args.map((arg) => arg.replaceAll('$$', '$')),
        {
          env: { PATH: process.env['PATH'] },
          timeout: 10_000,
        },
      );
      expect(status).toBeGreaterThan(0);
      expect(stderr.toString()).toContain('is not set in docker/hookline.env');
    }
  });
});

describe('docker/haproxy.cfg', () => {
  it('checks readiness, and retries only idempotent requests', () => {
    expect(proxy).toContain('http-check send meth GET uri /health/ready');
    expect(proxy).toContain('http-request disable-l7-retry unless is_read or is_keyed_call has_key');
    expect(proxy).toContain('acl is_read method GET HEAD OPTIONS');
  });

  it('forwards the real client address, no matter what the client claims', () => {
    expect(proxy).toContain('http-request set-header X-Forwarded-For %[src]');
    expect(proxy).not.toContain('option forwardfor');
  });

  it('is accepted by HAProxy, if installed', () => {
    const { error, status, stderr } = spawnSync('haproxy', [
      '-c',
      '-f',
      join(__dirname, '..', 'docker/haproxy.cfg'),
    ]);
    if (error) return expect(error).toMatchObject({ code: 'ENOENT' });
    return expect([status, stderr.toString().match(/\[ALERT\].*/g)]).toEqual([0, null]);
  });
});
