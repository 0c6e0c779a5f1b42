import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../src/app.settings.js';

const read = (path: string): string => readFileSync(join(__dirname, '..', path), 'utf8');
const compose = read('docker/compose.yaml');
const image = read('docker/Dockerfile');
const page = read('docs/deploy.md');

describe('what the deployment files promise', () => {
  it('pins every image to a release', () => {
    const images = [...image.matchAll(/^FROM (\S+)/gm), ...compose.matchAll(/^ +image: (\S+:\S+)/gm)];
    expect(images.map(([, name]) => name)).toHaveLength(3);
    for (const [, name] of images) expect(name).toMatch(/:\d+\.\d+\.\d+(-slim)?$/);
  });

  it('has no default password', () => {
    expect(compose).not.toMatch(/PASSWORD:-[^}]/);
    expect(read('docker/hookline.env.example')).toMatch(/^MYSQL_PASSWORD=$/m);
  });

  it('takes every setting, and gives the container no rights', () => {
    expect(compose.match(/^ +env_file: hookline\.env$/gm)).toHaveLength(2);
    for (const line of ['read_only: true', 'cap_drop:\n      - ALL', 'no-new-privileges:true'])
      expect(compose).toContain(line);
    for (const flag of ['--read-only', '--cap-drop ALL', '--security-opt no-new-privileges'])
      expect(page).toContain(flag);
  });

  it('names settings that there are', () => {
    const known = readSettings({}).names;
    const named = [...page.matchAll(/(?:^|[\s`])([A-Z][A-Z_]{3,})=\S/gm)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => name !== 'NODE_ENV' && !known.has(name))).toEqual([]);
  });

  it('sends upgrades on to the stream of events', () => {
    expect(page).toMatch(
      /proxy_set_header Upgrade \$http_upgrade;\n +proxy_set_header Connection \$connection_upgrade;/,
    );
  });

  it('builds the image from files that reach it', () => {
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

  it('names commands that there are', () => {
    const commands = [...read('scripts/hookline.mjs').matchAll(/^ {2}'?([a-z-]+)'?: \[/gm)].map(
      ([, name]) => name,
    );
    expect(commands).toContain('reset-password');
    const named = [page, compose, image.replaceAll('", "', ' ')].flatMap((text) => [
      ...text.replace(/docker exec (-it )?hookline /g, '').matchAll(/[\s="`]hookline ([a-z][a-z-]+)/g),
    ]);
    expect(named.length).toBeGreaterThan(8);
    const unknown = named.map(([, name]) => name!).filter((name) => ![...commands, 'help'].includes(name));
    expect(unknown).toEqual([]);
  });
});
