import { makeChannel } from '../channels.mjs';
import { requireSameAnswer } from '../measure.mjs';
import { apiRequest, askYardstick, jsonRequest, sender, textOf } from '../requests.mjs';

export const read = {
  name: 'read',
  title: 'Read the newest 60 posts of a channel',
  unit: 'pages',
  ideal: 'one `SELECT`',
  connections: [1, 16, 64],

  async prepare({ api, yardstick, sizes }) {
    const channel = await makeChannel(api);
    const hook = await api.call('POST', '/hooks/incoming', { channel_id: channel.id, display_name: 'Bench' });
    const payload = { text: textOf(200), username: 'build-bot' };
    const fill = sender(api.url, jsonRequest('POST', `${api.url}/hooks/${hook.id}`, payload));
    await fill({ connections: 64, count: sizes.posts });
    const path = `/channels/${channel.id}/posts?page=0&per_page=60`;
    const server = sender(api.url, apiRequest(api, 'GET', path));
    if (!yardstick) return { server };
    const ideal = `/read?${channel.id}`;
    requireSameAnswer('read', await api.call('GET', path), await askYardstick(yardstick, 'GET', ideal));
    return { server, yardstick: sender(yardstick.url, jsonRequest('GET', `${yardstick.url}${ideal}`)) };
  },
};
