/** The system page of the console, in Chromium. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { button, choose, go, gone, heading, open, rowOf, useConsole } from './support/console.mjs';
import { adminPassword, unique, unknownId } from './support/scene.mjs';

describe('the console: system', () => {
  const { scene, visit, hookFor, incomingHookFor, callWith } = useConsole();

  test('describes the state of the server and its tasks', () =>
    visit(async (page) => {
      await open(page, 'System');
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Server ready' })
        .getByRole('img', { name: 'In order' })
        .waitFor();
      await page.getByText(/^Hookline \d.* on Node\.js/).waitFor();
      await page.getByText('SQLite, in the data folder').waitFor();
    }));

  test('shows every setting with its source, and no secret', () =>
    visit(async (page) => {
      await open(page, 'System');
      await page.getByRole('tab', { name: 'Settings' }).click();
      const row = (name) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
      await row('INVITE_TTL').getByText('48h').waitFor();
      await row('INVITE_TTL').getByText('default', { exact: true }).waitFor();
      await row('OUTGOING_SCHEDULE').getByText('environment').waitFor();
      await row('ADMIN_PASSWORD').getByText('set, not shown').waitFor();
      assert.ok(!(await page.content()).includes(adminPassword));
      await page.getByLabel('Search settings').fill('how often each peer');
      await row('PEER_PING_INTERVAL').waitFor();
      await gone(row('INVITE_TTL'));
      await page.getByLabel('Search settings').fill('');
      await page.getByLabel('Only changed settings').check();
      await row('OUTGOING_SCHEDULE').waitFor();
      await gone(row('INVITE_TTL'));
    }));

  test('describes actions with the names of their targets, including those of the server, with links', async () => {
    const name = unique('gone');
    await callWith(await hookFor({ display_name: name }), { status: 410 });
    const incoming = await incomingHookFor({ display_name: name });
    await visit(async (page) => {
      const asked = [];
      page.on('request', (request) => asked.push(request.url()));
      await go(page, '/audit');
      const row = (words) => rowOf(page, words).filter({ hasText: name });
      await row('Hookline').getByText('disabled the failing outgoing webhook').waitFor();
      await row('admin added the outgoing webhook').waitFor();
      await row('added the incoming webhook').getByRole('link', { name }).waitFor();
      await row('Hookline').getByText('disabled the failing outgoing webhook').click();
      const entry = page.getByRole('dialog');
      await entry.getByText('disable_outgoing_webhook', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await gone(entry);
      const ofOne = asked.filter((url) => /hooks\/(?:incoming|outgoing)\/[a-z0-9]{26}(?:\?|$)/.test(url));
      assert.deepEqual(ofOne, [], 'a request for a row');
      await row('added the incoming webhook').getByRole('link', { name }).click();
      await page.waitForURL(new RegExp(incoming.id));
      await heading(page, name).waitFor();
    });
  });

  test('filters actions by user, action, result and time, and shows names', () =>
    visit(async (page) => {
      await page.clock.setSystemTime(Date.now() - 600_000); // includes times that are later by the clock of the server
      await scene.admin.getIncomingWebhook(unknownId).catch(() => undefined);
      await scene.admin.removeIncomingWebhook(unknownId).catch(() => undefined);
      await open(page, 'Audit', 'Audit log');
      await rowOf(page, 'admin').first().waitFor();
      const action = page.getByRole('combobox', { name: 'Action' });
      await action.fill('Deleted an incoming');
      await choose(action, 'Deleted an incoming webhook');
      await choose(page.getByRole('combobox', { name: 'Result' }), 'refused');
      await page.getByRole('combobox', { name: 'Who' }).fill('admin');
      await page.getByRole('combobox', { name: 'Who' }).blur(); // leaving a field submits its text
      await page.waitForURL(/by=admin/);
      await choose(page.getByRole('combobox', { name: 'When' }), 'Last hour');
      await page.waitForURL(/within=an/);
      await page.getByText('refused, 404').first().waitFor();
      await page.getByRole('cell', { name: 'done', exact: true }).first().waitFor({ state: 'detached' });
      const download = page.waitForEvent('download');
      await button(page, 'Export as CSV').click();
      const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
      assert.match(lines[0], /^time,user_id,action,/);
      assert.ok(lines.length > 1);
      for (const line of lines.slice(1)) assert.match(line, /"delete_incoming_webhook".*"fail","404"/);
      await page.getByRole('combobox', { name: 'Who' }).fill('nobody-of-this-name');
      await page.getByRole('combobox', { name: 'Who' }).press('Enter');
      await page.getByRole('alert').waitFor();
    }));
});
