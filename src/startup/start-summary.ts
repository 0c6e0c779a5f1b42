import { VERSION } from '../platform/common/version.js';
import type { Settings } from '../platform/config/settings.js';
import type { StartContents } from './bootstrap.service.js';

const HELLO = JSON.stringify({ text: 'Hello from Hookline' });

/** The result of a start. */
interface Started {
  readonly url: string;
  readonly port: number;
  readonly contents: StartContents;
}

/** What the terminal shows after a start: the addresses, and a command to try. Never a password. */
export function startSummary(settings: Settings, { url, port, contents }: Started): string {
  const site = siteUrl(settings, port);
  const rows: (readonly [string, string])[] = [
    ['Site', site],
    ['API docs', `${site}/api/docs`],
    ['Health', `${site}/health/ready`],
    ['Listens on', url],
    settings.databaseUrl === undefined
      ? ['Data folder', settings.dataDir]
      : ['Database', withoutPassword(settings.databaseUrl)],
  ];
  if (settings.localModeSocket !== undefined) rows.push(['Local mode', settings.localModeSocket]);
  const administrator = describeAdministrator(contents);
  if (administrator !== undefined) rows.push(['Administrator', administrator]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = [
    '',
    `  Hookline ${VERSION} is running.`,
    '',
    ...rows.map(([label, value]) => `  ${label.padEnd(width)}   ${value}`),
    '',
  ];
  if (contents.firstHookId !== undefined) {
    lines.push('  Post a message:', '', tryCommand(`${site}/hooks/${contents.firstHookId}`), '');
  }
  return `${lines.join('\n')}\n`;
}

/** The public address: SITE_URL, or where the server listens. */
function siteUrl(settings: Settings, port: number): string {
  const { siteUrl: configured } = settings;
  const isDefault = configured === undefined || configured === `http://localhost:${settings.port}`;
  return isDefault ? `http://localhost:${port}` : configured;
}

function describeAdministrator({
  hasUsers,
  adminUsername,
  adminPassword,
}: StartContents): string | undefined {
  if (!hasUsers) return 'the first account that is made through the API';
  if (adminUsername === undefined) return undefined;
  if (adminPassword === undefined) return adminUsername;
  return adminPassword === 'settings'
    ? `${adminUsername}, with the password of ADMIN_PASSWORD`
    : `${adminUsername}, first password in ${adminPassword.path}`;
}

function tryCommand(url: string): string {
  const argument = /^[\w:/.@%~-]+$/.test(url) ? url : `'${url.replaceAll("'", `'\\''`)}'`;
  return `curl -i -X POST -H 'Content-Type: application/json' -d '${HELLO}' ${argument}`;
}

/** A database URL without its password and parameters. */
function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.password !== '') url.password = '****';
  url.search = '';
  return url.href;
}
