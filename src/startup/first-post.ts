import type { Settings } from '../platform/config/settings.js';

const HELLO = JSON.stringify({ text: 'Hello from Hookline' });

/** The public address: SITE_URL, or where the server listens. */
export function siteUrl({ siteUrl: configured, port: wanted }: Settings, port: number): string {
  const isDefault = configured === undefined || configured === `http://localhost:${wanted}`;
  return isDefault ? `http://localhost:${port}` : configured;
}

/** A command on one line that posts through a webhook. It contains the secret address of the webhook. */
export function postCommand(site: string, hookId: string): string {
  const url = `${site}/hooks/${hookId}`;
  const argument = /^[\w:/.@%~-]+$/.test(url) ? url : `'${url.replaceAll("'", `'\\''`)}'`;
  return `curl -i -X POST -H 'Content-Type: application/json' -d '${HELLO}' ${argument}`;
}
