/** What a caller can do who knows the URL of one incoming webhook. */
import { deepJson, dearTexts, letters } from './tools.mjs';

const toHook = ({ scene }, body, headers = {}) => ({
  ...{ method: 'POST', path: `/hooks/${scene.hookId}`, body, headers },
});

export const holderAttacks = {
  'a flood of small posts': (attack) => attack.flood(16, (n) => toHook(attack, { text: `Post ${n}.` })),

  'the longest texts': (attack) =>
    attack.flood(2, () => toHook(attack, { text: 'A long text. '.repeat(22_000) }), { perSecond: 5 }),

  'many attachments with many fields': (attack) => {
    const fields = Array.from({ length: 40 }, (_, n) => ({ title: `Field ${n}`, value: 'v', short: true }));
    const attachments = Array.from({ length: 60 }, () => ({ fallback: 'f', text: 'An attachment', fields }));
    return attack.flood(2, () => toHook(attack, { attachments }), { perSecond: 5 });
  },

  'texts that are slow to parse': (attack) => {
    const texts = [...dearTexts(16_000), ...dearTexts(90_000)];
    return attack.flood(2, (n) => toHook(attack, { text: texts[n % texts.length] }), { perSecond: 20 });
  },

  'unknown channels and users': (attack) =>
    attack.flood(4, (n) =>
      toHook(attack, {
        text: 'x',
        channel: `${n % 2 ? '@' : ''}${n % 3 ? letters(20) : 'x'.repeat(200_000)}`,
      }),
    ),

  'multipart bodies of many parts': (attack) => {
    const part = (n) => `--b\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\nv\r\n`;
    const body = Buffer.from(`${Array.from({ length: 4_000 }, (_, n) => part(n)).join('')}--b--\r\n`);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    return attack.flood(2, () => toHook(attack, body, headers), { perSecond: 20 });
  },

  'forms of many fields': (attack) => {
    const body = Array.from({ length: 40_000 }, (_, n) => `f${n}=v`)
      .join('&')
      .slice(0, 290_000);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return attack.flood(2, () => toHook(attack, body, headers), { perSecond: 20 });
  },

  'JSON that is nested deeply': (attack) => {
    const body = deepJson(30_000);
    return attack.flood(2, () => toHook(attack, body), { perSecond: 20 });
  },

  'a new idempotency key each time': (attack) =>
    attack.flood(4, () => toHook(attack, { text: 'Keyed.' }, { 'idempotency-key': letters(255) })),

  'slow bodies': (attack) =>
    attack.trickle(
      200,
      () => `POST /hooks/${attack.scene.hookId} HTTP/1.1\r\nHost: a\r\nContent-Length: 290000\r\n\r\n`,
    ),

  'direct messages to everybody': (attack) =>
    attack.flood(2, (n) =>
      toHook(attack, {
        text: 'Hello.',
        channel: `@${attack.scene.people[n % attack.scene.people.length].username}`,
      }),
    ),
};
