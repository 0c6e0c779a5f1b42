/**
 * Bodies of incoming webhooks, and frames between servers, as described in docs/contract/secure-connections.md#frames and
 * docs/contract/shared-channels.md.
 */
import { Pairs } from './json-text.mjs';

function frame(remoteId, topic, payload, random) {
  return Pairs.from({
    remote_id: remoteId,
    msg: { id: random.letters(26), topic, create_at: Date.now(), payload },
  });
}

/** A frame for one of the calls between servers. `channelId` is shared with the peer. */
export function anyFrame(call, remoteId, channelId, random) {
  if (call === 'ping') return frame(remoteId, 'ping', { sent_at: Date.now(), recv_at: 0 }, random);
  if (call === 'confirm_invite') return frame(remoteId, 'invitation', confirmation(remoteId, random), random);
  const [topic, payload] = random.pick(messages)(channelId, random);
  return frame(remoteId, topic, payload, random);
}

const confirmation = (remoteId, random) => ({
  remote_id: remoteId,
  remote_team_id: '',
  site_url: 'http://127.0.0.1:9',
  token: random.letters(26),
  refreshed_token: random.letters(26),
  version: 3,
});

const messages = [
  (channelId, random) => ['sharedchannel_sync', sync(channelId, random)],
  (channelId, random) => ['sharedchannel_sync', sync(channelId, random)],
  (_, random) => ['sharedchannel_invite', channelInvite(random.letters(26), random)],
  (channelId, random) => ['sharedchannel_invite', channelInvite(channelId, random)],
  (channelId) => ['sharedchannel_uninvite', { channel_id: channelId }],
  (_, random) => ['a topic of another server', { key: random.letters(5) }],
];

function sync(channelId, random) {
  const now = Date.now();
  const times = { create_at: now, update_at: now, delete_at: 0 };
  const userId = random.letters(26);
  const user = {
    ...{ id: userId, ...times, username: `anna-${random.letters(5)}`, email: 'anna@example.com' },
    ...{ nickname: '', first_name: 'Anna', last_name: '', position: '', locale: 'en', roles: 'system_user' },
  };
  const post = (rootId) => ({
    ...{ id: random.letters(26), ...times, edit_at: 0, user_id: userId, channel_id: channelId, type: '' },
    ...{ root_id: rootId, message: `fuzz ${random.letters(8)}` },
    props: random.chance(0.3) ? { attachments: [{ text: 'x' }] } : {},
  });
  const root = post('');
  return {
    id: random.letters(26),
    channel_id: channelId,
    users: { [userId]: user },
    posts: random.chance(0.5) ? [root] : [root, post(root.id)],
  };
}

const channelInvite = (channelId, random) => ({
  ...{ channel_id: channelId, team_id: random.letters(26), creator_id: random.letters(26) },
  ...{ name: `shared-${random.letters(6)}`, display_name: 'Shared', header: '', purpose: '' },
  ...{ type: random.pick(['O', 'P']), read_only: false, direct_participant_ids: [] },
});

/** A message with some of the fields of incoming webhooks. */
export function hookBody(channelNames, random) {
  const some = (probability, fields) => (random.chance(probability) ? fields() : {});
  return Pairs.from({
    text: `Hello ${random.letters(6)}`,
    ...some(0.3, () => ({ channel: random.pick([...channelNames, '@fuzz-victim', '#town-square']) })),
    ...some(0.3, () => look),
    ...some(0.4, () => ({ attachments: [attachment] })),
    ...some(0.3, () => ({
      props: { card: 'c' },
      type: random.pick(['', 'me', 'custom_x', 'system_x']),
      priority: { priority: 'urgent' },
    })),
  });
}

const look = { username: 'bot', icon_url: 'https://example.com/a.png', icon_emoji: ':rocket:' };
const attachment = {
  ...{ fallback: 'f', color: '#fff', pretext: 'p', title: 't', title_link: 'https://example.com' },
  ...{ text: 'x', ts: 1, fields: [{ title: 'a', value: 1, short: true }] },
  actions: [{ name: 'go', type: 'button', integration: { url: 'http://x', context: { a: 1 } } }],
};
