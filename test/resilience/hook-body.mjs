/** Bodies for incoming webhooks. */
import { Pairs } from './json-text.mjs';

/** A message with some of the fields of incoming webhooks. */
export function hookBody(channelNames, random) {
  const some = (probability, fields) => (random.chance(probability) ? fields() : {});
  return Pairs.from({
    text: `Hello ${random.letters(6)}`,
    ...some(0.3, () => ({ channel: random.pick([...channelNames, '@fuzz-victim', '#town-square']) })),
    ...some(0.3, () => ({
      username: 'bot',
      icon_url: 'https://example.com/a.png',
      icon_emoji: ':rocket:',
    })),
    ...some(0.4, () => ({ attachments: [attachment] })),
    ...some(0.3, () => ({
      props: { card: 'c' },
      type: random.pick(['', 'me', 'custom_x', 'system_x']),
      priority: { priority: 'urgent' },
    })),
  });
}

const attachment = {
  fallback: 'f',
  color: '#fff',
  pretext: 'p',
  title: 't',
  title_link: 'https://example.com',
  text: 'x',
  fields: [{ title: 'a', value: 1, short: true }],
  ts: 1,
  actions: [{ name: 'go', type: 'button', integration: { url: 'http://x', context: { a: 1 } } }],
};
