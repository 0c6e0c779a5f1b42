/** Every page of the console, with one record of each kind. */
import { buildUser, eventually, serverUrl, unique, userPassword } from './scene.mjs';

const NOWHERE = '/nowhere';
const NOTHING = 'There is no page at this address.';

/**
 * Creates the records, which are called `name` and contain `text`, and an administrator who sees them in the team of
 * the scene. Returns { user, password, places }: `at` is an address, `shows` a text there, `buttons` open dialogs,
 * and `expands` is another element to open. `sign` is the beginning of the text wherever it is shown.
 */
export async function buildPlaces(
  { scene, receiver, api, deliveriesOf },
  { name, text, sign = text, viewName = name },
) {
  const { admin, team, channel } = scene;
  const { user, client } = await buildUser(admin, 'viewer');
  await admin.updateUserRoles(user.id, 'system_user system_admin');
  const { user: person } = await buildUser(admin, 'person');
  await admin.patchUser({ id: person.id, first_name: name, nickname: name, position: name });
  await admin.addToTeam(team.id, user.id);
  await admin.addToChannel(user.id, channel.id);
  await admin.patchTeam({ id: team.id, display_name: name });
  await admin.patchChannel(channel.id, { display_name: name, purpose: text.slice(0, 250) });
  await admin.createUserAccessToken(person.id, text.slice(0, 255));
  const bot = await admin.createBot({ username: unique('bot'), display_name: name, description: text });
  await client.savePreferences('me', [
    { user_id: user.id, category: 'hookline_delivery_views', name: viewName, value: '{"status":"failed"}' },
  ]);
  const incoming = await admin.createIncomingWebhook({
    ...{ channel_id: channel.id, display_name: name, description: text },
  });
  const call = await refusedCall(api, incoming, text);
  const word = unique('word');
  const outgoing = await admin.createOutgoingWebhook({
    ...{ team_id: team.id, channel_id: channel.id, display_name: name, description: text },
    trigger_words: [word, text],
    callback_urls: [`${receiver.url}?${encodeURIComponent(text)}`],
  });
  const post = await admin.createPost({ channel_id: channel.id, message: `${word} ${text}` });
  await admin.createPost({ channel_id: channel.id, root_id: post.id, message: text });
  const delivery = await calledTwice({ api, deliveriesOf }, outgoing);
  const { remote_cluster: peer } = await admin.createRemoteCluster({
    ...{ name: unique('peer'), display_name: name, default_team_id: team.id },
  });
  const { origin } = new URL(receiver.url);
  const endpoint = encodeURIComponent(JSON.stringify(origin));
  const places = [
    { at: '/', shows: name },
    { at: `/channels?channel=${channel.id}`, shows: sign },
    { at: `/channels?channel=${channel.id}&thread=${post.id}`, shows: sign },
    { at: `/channels?terms=${word}`, shows: sign },
    { at: '/incoming', shows: name, buttons: ['Add a webhook'] },
    { at: `/incoming/${incoming.id}?tab=test`, shows: name },
    { at: `/incoming/${incoming.id}?tab=settings`, shows: name, buttons: ['Delete'] },
    { at: `/incoming/${incoming.id}?tab=calls`, shows: name },
    { at: `/incoming/${incoming.id}?tab=security`, shows: name, buttons: ['Rotate the URL'] },
    { at: `/incoming/${incoming.id}?tab=calls&call=${call.id}`, shows: sign },
    { at: '/outgoing', shows: name, buttons: ['Add a webhook'] },
    {
      ...{ at: `/outgoing/${outgoing.id}`, shows: name },
      buttons: ['Edit', 'Delete', 'Resend missed deliveries…'],
    },
    { at: `/outgoing/${outgoing.id}?tab=settings`, shows: name },
    { at: `/outgoing/${outgoing.id}?tab=test`, shows: name },
    { at: `/outgoing/${outgoing.id}?tab=secret`, shows: name, buttons: ['Replace'] },
    { at: '/deliveries?status=delivered&within=a+week', shows: viewName, buttons: ['Save view'] },
    {
      ...{ at: `/deliveries?delivery=${delivery.id}&of=${outgoing.id}`, shows: sign },
      expands: 'Compare two attempts',
    },
    { at: '/endpoints', shows: origin },
    { at: `/endpoints/details?endpoint=${endpoint}`, shows: name },
    { at: '/connections', shows: name, buttons: ['Invite a server', 'Accept an invite'] },
    { at: `/connections/${peer.remote_id}`, shows: name, buttons: ['Edit', 'New invite', 'Withdraw'] },
    { at: `/people?search=${person.username}`, shows: name, buttons: ['Add a person'] },
    { at: '/people?tab=bots', shows: sign, buttons: ['Add a bot'] },
    { at: `/people?tab=tokens&search=${person.username}`, shows: sign, buttons: ['Revoke'] },
    {
      ...{ at: `/people/${person.id}`, shows: name },
      buttons: ['Edit', 'Make administrator', 'Set password', 'Create token'],
    },
    { at: `/people/${bot.user_id}`, shows: sign },
    { at: '/account', shows: user.username, buttons: ['Edit', 'Change password', 'Create token'] },
    { at: `/teams?search=${team.name}`, shows: name, buttons: ['Add a team'] },
    { at: `/teams/${team.id}`, shows: name, buttons: ['Edit', 'Add a channel'] },
    { at: `/teams/${team.id}?channel=${channel.id}`, shows: sign },
    { at: `/people?person=${person.id}`, shows: name },
    { at: `/teams/${team.id}?tab=members`, shows: name, buttons: ['Add a member'] },
    { at: '/system', shows: 'Health' },
    { at: '/system?tab=settings', shows: 'SITE_URL' },
    { at: '/audit', shows: 'Export as CSV' },
    { at: NOWHERE, shows: NOTHING },
  ];
  return { user, password: userPassword, places };
}

/** Opens each page and its dialogs, and the global dialogs, and calls `look` with the visible part. */
export async function visitAll(page, places, name, look) {
  const dialog = page.getByRole('dialog');
  const nothing = page.getByText(NOTHING);
  for (const { at, shows, buttons = [], expands } of places) {
    await page.goto(`${serverUrl}/#${NOWHERE}`); // nothing of the previous page is left
    await nothing.waitFor();
    if (at !== NOWHERE) {
      await page.goto(`${serverUrl}/#${at}`);
      await nothing.waitFor({ state: 'detached' });
    }
    await page.getByText(shows).filter({ visible: true }).first().waitFor();
    await page.locator('.loading').filter({ visible: true }).first().waitFor({ state: 'detached' });
    if (expands) {
      await page.getByText(expands).click();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
    }
    await look(at);
    for (const button of buttons) {
      await page.getByRole('button', { name: button, exact: true }).first().click();
      await dialog.getByRole('heading').first().waitFor();
      await look(`${at}: ${button}`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to' }).fill(name);
  await page.getByRole('option', { name }).first().waitFor();
  await look('the palette');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await dialog.getByText('Search on this page').waitFor();
  await look('the keys');
  await page.keyboard.press('Escape');
}

/** A refused call, as the server stores it. */
async function refusedCall(api, { id }, text) {
  await fetch(`${serverUrl}/hooks/${id}`, { method: 'POST', body: text, headers: { 'User-Agent': text } });
  return eventually('the call', async () => (await api(`/hooks/incoming/${id}/requests`))[0]);
}

/** A delivery of a webhook, after its first call and after a retry. */
async function calledTwice({ api, deliveriesOf }, hook) {
  const [{ id }] = await eventually('the delivery', async () => {
    const deliveries = await deliveriesOf(hook, 'delivered');
    return deliveries.length > 0 && deliveries;
  });
  const path = `/hooks/outgoing/${hook.id}/deliveries/${id}`;
  await api(`${path}/retry`, { method: 'POST' });
  return eventually('the second attempt', async () => {
    const delivery = await api(path);
    return delivery.attempt_list.length === 2 && delivery.status === 'delivered' && delivery;
  });
}
