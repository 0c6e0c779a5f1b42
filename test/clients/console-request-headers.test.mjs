/** The request of an attempt, on the delivery page of the console, in Chromium. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { openConsole } from './support/console.mjs';
import { eventually, serverUrl, unique } from './support/scene.mjs';

/** Values that depend on the secrets, or on other calls. */
const LEFT_OUT = ['connection', 'webhook-signature', 'x-hookline-signature-256'];
const PHONE = { width: 390, height: 800 };

describe('the request of an attempt', () => {
  let console;
  let scene;
  let visit;
  let receiver;

  before(async () => {
    console = await openConsole('request-headers');
    ({ scene, visit, receiver } = console);
  });
  after(() => console?.close());

  /** The page of a delivery to a URL. */
  const deliveryTo = async (url) => {
    const word = unique('word');
    const hook = await scene.admin.createOutgoingWebhook({
      team_id: scene.team.id,
      channel_id: scene.channel.id,
      display_name: unique('hook'),
      trigger_words: [word],
      callback_urls: [url],
    });
    await scene.admin.createPost({ channel_id: scene.channel.id, message: `${word} größer` });
    const { id } = await eventually('an attempt', async () => {
      const answer = await fetch(`${serverUrl}/api/v4/hooks/outgoing/${hook.id}/deliveries`, {
        headers: { authorization: `Bearer ${scene.admin.getToken()}` },
      });
      const [delivery] = (await answer.json()).deliveries;
      return delivery?.attempts > 0 && delivery;
    });
    return `${serverUrl}/#/outgoing/${hook.id}?tab=deliveries&delivery=${id}`;
  };

  for (const colorScheme of ['light', 'dark'])
    test(`has the headers and the size that the receiver got, for each attempt (${colorScheme})`, () =>
      visit(
        colorScheme,
        async (page) => {
          receiver.received.length = 0;
          await page.goto(await deliveryTo(receiver.url));
          const dialog = page.getByRole('dialog');
          await dialog.getByRole('button', { name: 'Send again' }).click();
          for (const number of [1, 2]) {
            const attempt = dialog.getByRole('region', { name: `Attempt ${number}` });
            await attempt.getByText('Request', { exact: true }).press('Enter');
            const { headers, body } = receiver.received[number - 1];
            const lines = Object.entries(headers)
              .filter(([name]) => !LEFT_OUT.includes(name))
              .map(([name, value]) => `${name}: ${value}`);
            assert.equal(
              await attempt.getByLabel(`the request of attempt ${number}`, { exact: true }).innerText(),
              [`POST ${receiver.url}`, ...lines].join('\n'),
            );
            await attempt.getByText(`The body has ${Buffer.byteLength(body)} bytes`).waitFor();
          }
          await dialog.getByText('Compare two attempts').click();
          await dialog.getByRole('heading', { name: 'Headers of the requests' }).waitFor();
          const { violations } = await new AxeBuilder({ page }).analyze();
          assert.deepEqual(
            violations
              .filter(({ impact }) => impact === 'serious' || impact === 'critical')
              .map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
            [],
          );
          const tooWide = await page.locator('html').evaluate((all) => all.scrollWidth > all.clientWidth);
          assert.equal(tooWide, false);
        },
        { colorScheme, viewport: PHONE },
      ));

  test('is missing if the receiver could not be reached', () =>
    visit('nobody', async (page) => {
      await page.goto(await deliveryTo('http://127.0.0.1:9/'));
      const attempt = page.getByRole('dialog').getByRole('region', { name: 'Attempt 1' });
      await attempt.getByText('Request', { exact: true }).click();
      await attempt.getByText('Nothing, as far as known.').waitFor();
    }));
});
