import type { Settings } from '../platform/config/settings.js';
import { VERSION } from '../platform/common/version.js';
import type { StartContents } from './bootstrap.service.js';

const HELLO = JSON.stringify({ text: 'Hello from Hookline' });

/** The public address: SITE_URL, or the address that the server listens on. */
export function siteUrl({ siteUrl: configured, port: wanted }: Settings, port: number): string {
  const isDefault = configured === undefined || configured === `http://localhost:${wanted}`;
  return isDefault ? `http://localhost:${port}` : configured;
}

/** A one-line command that posts through a webhook. It contains the webhook's secret address. */
export function postCommand(site: string, hookId: string): string {
  const url = `${site}/hooks/${hookId}`;
  const argument = /^[\w:/.@%~-]+$/.test(url) ? url : `'${url.replaceAll("'", `'\\''`)}'`;
  return `curl -i -X POST -H 'Content-Type: application/json' -d '${HELLO}' ${argument}`;
}

/** The result of a start. */
export interface Started {
  readonly url: string;
  readonly port: number;
  readonly contents: StartContents;
}

/** The text shown after a start. Only a terminal gets the secret webhook address, after the first; never a password. */
export function startSummary(
  settings: Settings,
  { url, port, contents }: Started,
  isTerminal: boolean,
): string {
  const site = siteUrl(settings, port);
  const rows: (readonly [string, string])[] = [
    ['Site', site],
    ['API docs', `${site}/api/docs`],
    ['Health', `${site}/health/ready`],
    ['Listens on', isLoopback(url) ? `${url} (this machine only; HOST=0.0.0.0 opens it)` : url],
    settings.databaseUrl === undefined
      ? ['Data folder', settings.dataDir]
      : ['Database', withoutPassword(settings.databaseUrl)],
  ];
  if (settings.workers > 1) rows.push(['Workers', `${settings.workers} processes`]);
  if (settings.localModeSocket !== undefined) rows.push(['Local mode', settings.localModeSocket]);
  const administrator = describeAdministrator(contents);
  if (administrator !== undefined) rows.push(['Administrator', administrator]);
  const webhook = describeWebhook(contents);
  if (webhook !== undefined) rows.push(['Webhook', webhook]);
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = [
    '',
    `  Hookline ${VERSION} is running.`,
    '',
    ...rows.map(([label, value]) => `  ${label.padEnd(width)}   ${value}`),
    '',
  ];
  if (isTerminal && contents.firstHookId !== undefined)
    lines.push('  Post a message:', '', postCommand(site, contents.firstHookId), '');
  return `${lines.join('\n')}\n`;
}

const isLoopback = (url: string): boolean => /^http:\/\/(127\.|\[::1\]|localhost\b)/.test(url);

function describeAdministrator({
  hasUsers,
  adminUsername,
  adminPassword,
}: StartContents): string | undefined {
  if (!hasUsers) return 'the first account that is created through the API';
  if (adminUsername === undefined) return undefined;
  if (adminPassword === undefined) return adminUsername;
  return adminPassword === 'settings'
    ? `${adminUsername}, with the password of ADMIN_PASSWORD`
    : `${adminUsername}, first password in ${adminPassword.path}`;
}

function describeWebhook({ firstHookName, firstHookPath }: StartContents): string | undefined {
  if (firstHookName === undefined || firstHookPath === undefined) return firstHookName;
  return `${firstHookName}, URL in ${firstHookPath}`;
}

function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  if (url.password !== '') url.password = '****';
  url.search = '';
  return url.href;
}
