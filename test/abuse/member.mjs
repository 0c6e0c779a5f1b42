/** What an ordinary member of a team can do. Webhooks of the team respond badly to the member's posts. */
import { dearTexts, letters, unknownId } from './tools.mjs';

const as = ({ scene }, fields) => ({ token: scene.member.token, ...fields });
const post = (attack, message, fields = {}) =>
  as(attack, {
    ...{ method: 'POST', path: '/api/v4/posts' },
    body: { channel_id: attack.scene.channelId, message, ...fields },
  });

export const memberAttacks = {
  'messages that trigger webhooks with bad responses': (attack) =>
    attack.flood(4, (n) => post(attack, `deploy ${n}`)),

  'messages that are slow to parse': (attack) => {
    const texts = dearTexts(16_000);
    return attack.flood(2, (n) => post(attack, texts[n % texts.length]), { perSecond: 40 });
  },

  'messages that mention everybody': (attack) => {
    const names = attack.scene.people.map(({ username }) => `@${username}`).join(' ');
    return attack.flood(2, () => post(attack, `@all @channel @here ${names}`), { perSecond: 40 });
  },

  'large props': (attack) =>
    attack.flood(2, () => post(attack, 'props', { props: { a: 'x'.repeat(7_000) } })),

  'new channels': (attack) =>
    attack.flood(2, () =>
      as(attack, {
        ...{ method: 'POST', path: '/api/v4/channels' },
        body: { team_id: attack.scene.teamId, name: `c${letters(14)}`, display_name: 'New', type: 'O' },
      }),
    ),

  searches: (attack) => {
    const terms = ['a*', 'deploy OR post', '"a b" -c', 'from:nobody', letters(60), 'x '.repeat(200), '%_%'];
    return attack.flood(4, (n) =>
      as(attack, {
        ...{ method: 'POST', path: `/api/v4/teams/${attack.scene.teamId}/posts/search` },
        body: { terms: terms[n % terms.length], is_or_search: n % 2 === 0 },
      }),
    );
  },

  'a long thread': (attack) =>
    attack.flood(2, (n) =>
      n % 2
        ? post(attack, `Reply ${n}.`, { root_id: attack.scene.rootId })
        : as(attack, { path: `/api/v4/posts/${attack.scene.rootId}/thread` }),
    ),

  'edits of one message': (attack) =>
    attack.flood(4, (n) =>
      as(attack, {
        ...{ method: 'PUT', path: `/api/v4/posts/${attack.scene.rootId}/patch` },
        body: { message: `Edit ${n}.` },
      }),
    ),

  'posts by many ids': (attack) => {
    const body = Array.from({ length: 1_000 }, unknownId);
    return attack.flood(2, () => as(attack, { method: 'POST', path: '/api/v4/posts/ids', body }));
  },

  'joining and leaving': (attack) =>
    attack.flood(2, (n) => {
      const { openChannelId, member } = attack.scene;
      const path = `/api/v4/channels/${openChannelId}/members`;
      return n % 2
        ? as(attack, { method: 'DELETE', path: `${path}/${member.id}` })
        : as(attack, { method: 'POST', path, body: { user_id: member.id } });
    }),

  'all lists': (attack) => {
    const { teamId, channelId } = attack.scene;
    const paths = [
      '/users/me/channels',
      `/users/me/teams/${teamId}/channels`,
      `/users/me/teams/${teamId}/channels/members`,
      `/users/me/teams/${teamId}/channels/categories`,
      `/users/me/teams/${teamId}/threads`,
      `/teams/${teamId}/channels?per_page=200`,
      `/teams/${teamId}/members?per_page=200`,
      `/channels/${channelId}/members?per_page=200`,
      '/users?per_page=200',
      `/channels/${channelId}/posts?per_page=200`,
    ];
    return attack.flood(4, (n) => as(attack, { path: `/api/v4${paths[n % paths.length]}` }));
  },

  'sockets that ask for statuses': (attack) => {
    let seq = 0;
    const ask = (socket) => socket.send(JSON.stringify({ seq: ++seq, action: 'get_statuses', data: {} }));
    return attack.sockets(60, attack.scene.member.token, ask, 50);
  },
};
