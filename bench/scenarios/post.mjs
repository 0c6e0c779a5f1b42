import { makeChannel, messageCount } from '../channels.mjs';
import { jsonRequest, sender, textOf } from '../requests.mjs';

const payload = {
  text: textOf(200),
  username: 'build-bot',
  icon_url: 'https://example.com/bot.png',
  props: { build: 812 },
};

export const post = {
  name: 'post',
  title: 'Post through an incoming webhook',
  unit: 'posts',
  ideal: 'parse, one post row, batched; `ok`',
  connections: [1, 16, 64],

  async prepare({ api, yardstick }) {
    const channel = await makeChannel(api);
    const hook = await api.call('POST', '/hooks/incoming', { channel_id: channel.id, display_name: 'Bench' });
    const send = sender(api.url, jsonRequest('POST', `${api.url}/hooks/${hook.id}`, payload));
    return {
      async server(load) {
        const before = await messageCount(api, channel.id);
        const result = await send(load);
        const stored = (await messageCount(api, channel.id)) - before;
        if (stored !== result.ok)
          throw new Error(`${result.ok} posts were acknowledged, but ${stored} are stored.`);
        return result;
      },
      yardstick: yardstick && sender(yardstick.url, jsonRequest('POST', `${yardstick.url}/post`, payload)),
    };
  },
};
