/** What a new user in one channel can do. */
import { dearTexts, letters, unknownId } from './tools.mjs';

export const newcomerAttacks = {
  'a flood of posts': (attack) =>
    attack.flood(8, (n) => ({
      ...{ method: 'POST', path: '/api/v4/posts', token: attack.scene.newcomer.token },
      body: { channel_id: attack.scene.channelId, message: `A post, number ${n}.` },
    })),

  'the longest lists of posts': (attack) =>
    attack.flood(4, () => ({
      path: `/api/v4/channels/${attack.scene.channelId}/posts?per_page=200`,
      token: attack.scene.newcomer.token,
    })),

  'lists that nobody reads': (attack) => {
    const { newcomer, channelId } = attack.scene;
    const list = `GET /api/v4/channels/${channelId}/posts?per_page=200 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${newcomer.token}\r\n\r\n`;
    return attack.drop(10, 5, 10, () => [list.repeat(5)]);
  },

  'odd terms in user searches': (attack) => {
    const terms = [...dearTexts(2_000), '%', '_%_%_', letters(60)];
    return attack.flood(4, (n) => ({
      ...{ method: 'POST', path: '/api/v4/users/search', token: attack.scene.newcomer.token },
      body: { term: terms[n % terms.length] },
    }));
  },

  'lists of users': (attack) =>
    attack.flood(2, (n) => ({
      path: `/api/v4/users?per_page=200&page=${n % 5}&in_team=${attack.scene.teamId}`,
      token: attack.scene.newcomer.token,
    })),

  'statuses of many ids': (attack) => {
    const body = Array.from({ length: 5_000 }, unknownId);
    return attack.flood(2, () => ({
      ...{ method: 'POST', path: '/api/v4/users/status/ids', token: attack.scene.newcomer.token, body },
    }));
  },

  'sockets that type all the time': (attack) => {
    const data = { channel_id: attack.scene.channelId, parent_id: '' };
    let seq = 0;
    const type = (socket) => socket.send(JSON.stringify({ seq: ++seq, action: 'user_typing', data }));
    return attack.sockets(60, attack.scene.newcomer.token, type, 50);
  },

  'large preferences': (attack) =>
    attack.flood(2, (n) => ({
      ...{ method: 'PUT', path: '/api/v4/users/me/preferences', token: attack.scene.newcomer.token },
      body: Array.from({ length: 10 }, (_, of) => ({
        ...{
          user_id: attack.scene.newcomer.id,
          category: 'c',
          name: `n${n}-${of}`,
          value: 'v'.repeat(20_000),
        },
      })),
    })),

  'changes of the own profile': (attack) =>
    attack.flood(2, (n) => ({
      ...{ method: 'PUT', path: '/api/v4/users/me/patch', token: attack.scene.newcomer.token },
      body: { nickname: `n${n}`, props: { a: 'x'.repeat(30_000) }, notify_props: { first_name: 'true' } },
    })),

  'new sessions': (attack) =>
    attack.flood(2, () => ({
      ...{ method: 'POST', path: '/api/v4/users/login' },
      body: { login_id: attack.scene.newcomer.username, password: attack.scene.password },
    })),

  'direct and group channels': (attack) =>
    attack.flood(2, (n) => {
      const { people, newcomer } = attack.scene;
      const [one, two] = [people[n % people.length].id, people[(n * 7 + 1) % people.length].id];
      const isDirect = n % 2 === 0;
      return {
        ...{
          method: 'POST',
          path: `/api/v4/channels/${isDirect ? 'direct' : 'group'}`,
          token: newcomer.token,
        },
        body: isDirect ? [newcomer.id, one] : [newcomer.id, one, two],
      };
    }),
};
