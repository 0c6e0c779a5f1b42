import { VERSION } from '../platform/common/version.js';
import type { Settings } from '../platform/config/settings.js';
import type { StartContents } from './bootstrap.service.js';

const HELLO = JSON.stringify({ text: 'Hello from Hookline' });

/** What a start has led to. */
interface Started {
  readonly url: string;
  readonly port: number;
  readonly contents: StartContents;
}

/** What the terminal shows once the server answers: where everything is, and a call to try at once. No password. */
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

/** The address that people use: SITE_URL, or where the server listens. */
function siteUrl(settings: Settings, port: number): string {
  const { siteUrl: wanted } = settings;
  return wanted === undefined || wanted === `http://localhost:${settings.port}`
    ? `http://localhost:${port}`
    : wanted;
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

/** A database's address as it may be shown. */
export function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.password !== '') url.password = '****';
  url.search = '';
  return url.href;
}
