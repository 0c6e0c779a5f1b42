/** What each kind of caller can do to overload a server, by name. */
import { EVENT, hostileBodies, hostileSignatures, hostileTemplates } from './hostile.mjs';
import { deepJson, letters, slowTexts, unknownId } from './tools.mjs';

/** Requests by an account of the scene: `as('member')(attack, 'GET', '/users/me')`. */
const as =
  (account) =>
  ({ scene }, method, path, body) => ({
    ...{ method, path: `/api/v4${path}`, body, token: scene[account]?.token },
  });
const [byStranger, byNewcomer, byMember, byManager] = ['nobody', 'newcomer', 'member', 'manager'].map(as);
const inTurn = (list, n) => list[n % list.length];
const slowBody = (id) => `POST /hooks/${id} HTTP/1.1\r\nHost: a\r\nContent-Length: 290000\r\n\r\n`;
/** Sends a frame on WebSockets again and again. */
const frames = (attack, count, token, action, data = {}) => {
  let seq = 0;
  const act = (socket) => socket.send(JSON.stringify({ seq: ++seq, action, data }));
  return attack.sockets(count, token, act, 50);
};

/** A caller without an account or a secret. */
const stranger = {
  'a flood of pings': (attack) => attack.flood(8, () => byStranger(attack, 'GET', '/system/ping')),
  'unknown paths': (attack) =>
    attack.flood(4, (n) => ({ path: `/${letters(10)}/${n % 2 ? 'x'.repeat(8_000) : '%F0%9F%98%80'}` })),
  'large bodies for unknown webhooks': (attack) => {
    const texts = slowTexts(90_000);
    const request = (text) => ({ method: 'POST', path: `/hooks/${unknownId()}`, body: { text } });
    return attack.flood(4, (n) => request(inTurn(texts, n)));
  },
  'slow bodies': (attack) => attack.trickle(200, () => slowBody(unknownId())),
  'slow bodies that start late and never end': (attack) =>
    attack.drop(20, 2_000, 500, () => [slowBody(unknownId()), 'a'.repeat(280_000)]),
  'pipelined requests that are aborted': (attack) =>
    attack.drop(10, 100, 20, () => {
      const one = slowBody(unknownId()).replace('290000', '20000') + 'a'.repeat(20_000);
      return [one.repeat(20), one.slice(0, 10_000)];
    }),
  'slow headers': (attack) => attack.trickle(200, () => 'GET /api/v4/system/ping HTTP/1.1\r\nHost: '),
  'idle connections': (attack) => attack.trickle(500, () => '', 3_600_000),
  'guessed passwords': (attack) =>
    attack.flood(8, (n) => {
      const name = n % 2 ? attack.scene.bystander.username : letters(12);
      const body = { login_id: name, password: `guess ${letters(20)}` };
      return byStranger(attack, 'POST', '/users/login', body);
    }),
  'sign-ups': (attack) =>
    attack.flood(4, (n) => {
      const name = `u${letters(12)}`;
      const body = { username: name, email: `${name}@example.com`, password: letters(60) };
      return byStranger(attack, 'POST', `/users${n % 2 ? '' : `?iid=${unknownId()}`}`, body);
    }),
  'sockets that never authenticate': (attack) =>
    attack.sockets(300, undefined, (socket) => socket.send('{"seq":1,"action":"ping"'), 500),
  'frames of unknown peers': (attack) =>
    attack.flood(4, (n) => ({
      ...{ method: 'POST', path: `/api/v4/remotecluster/${inTurn(['ping', 'msg', 'confirm_invite'], n)}` },
      headers: { 'x-remotecluster-id': unknownId(), 'x-remotecluster-token': letters(26) },
      body: { remote_id: unknownId(), msg: { id: unknownId(), topic: 'x', payload: 'y'.repeat(50_000) } },
    })),
  'JSON that is nested deeply': (attack) =>
    attack.flood(2, () => byStranger(attack, 'POST', '/users/login', deepJson(30_000))),
  'unknown tokens': (attack) => attack.flood(4, () => ({ path: '/api/v4/users/me', token: letters(26) })),
};

const toHook = ({ scene }, body, headers) => ({
  ...{ method: 'POST', path: `/hooks/${scene.hookId}`, body, headers },
});
/** Calls of the webhook that are expensive for the caller as well. */
const hookCalls = (attack, bodies, { headers, perSecond = 20 } = {}) =>
  attack.flood(2, (n) => toHook(attack, inTurn(bodies, n), headers), { perSecond });

/** A caller who knows the URL of one incoming webhook. */
const holder = {
  'a flood of small posts': (attack) => attack.flood(16, (n) => toHook(attack, { text: `Post ${n}.` })),
  'the longest texts': (attack) =>
    hookCalls(attack, [{ text: 'A long text. '.repeat(22_000) }], { perSecond: 5 }),
  'many attachments with many fields': (attack) => {
    const fields = Array.from({ length: 40 }, (_, n) => ({ title: `Field ${n}`, value: 'v', short: true }));
    const attachments = Array.from({ length: 60 }, () => ({ fallback: 'f', text: 'An attachment', fields }));
    return hookCalls(attack, [{ attachments }], { perSecond: 5 });
  },
  'texts that are slow to parse': (attack) =>
    hookCalls(
      attack,
      [...slowTexts(16_000), ...slowTexts(90_000)].map((text) => ({ text })),
    ),
  'unknown channels and users': (attack) =>
    attack.flood(4, (n) => {
      const name = n % 3 ? letters(20) : 'x'.repeat(200_000);
      return toHook(attack, { text: 'x', channel: `${n % 2 ? '@' : ''}${name}` });
    }),
  'multipart bodies of many parts': (attack) => {
    const part = (n) => `--b\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\nv\r\n`;
    const body = Buffer.from(`${Array.from({ length: 4_000 }, (_, n) => part(n)).join('')}--b--\r\n`);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    return hookCalls(attack, [body], { headers });
  },
  'forms of many fields': (attack) => {
    const body = Array.from({ length: 40_000 }, (_, n) => `f${n}=v`).join('&');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return hookCalls(attack, [body.slice(0, 290_000)], { headers });
  },
  'JSON that is nested deeply': (attack) => hookCalls(attack, [deepJson(30_000)]),
  'a new idempotency key each time': (attack) =>
    attack.flood(4, () => toHook(attack, { text: 'Keyed.' }, { 'idempotency-key': letters(255) })),
  'slow bodies': (attack) => attack.trickle(200, () => slowBody(attack.scene.hookId)),
  'direct messages to everybody': (attack) =>
    attack.flood(2, (n) => {
      const { username } = inTurn(attack.scene.people, n);
      return toHook(attack, { text: 'Hello.', channel: `@${username}` });
    }),
};

const to = (id, body, headers) => ({ method: 'POST', path: `/hooks/${id}`, body, headers });
/** A caller of webhooks with templates, formats and verifiers, who also uses keys. */
const sender = {
  'hostile templates': (attack) => {
    const bodies = ['a'.repeat(280_000), ' '.repeat(60_000), '<'.repeat(60_000)].map((text) => ({
      text,
      list: [3, 1, 2],
    }));
    const ids = attack.scene.templateHookIds;
    return attack.flood(1, (n) => to(inTurn(ids, n), bodies[Math.floor(n / ids.length) % bodies.length]), {
      perSecond: 4,
    });
  },
  'hostile templates in previews': (attack) => {
    const path = `/hooks/incoming/${attack.scene.formatHookIds.github}/preview`;
    const fields = { format: 'template', payload: '{"text":"a"}' };
    const request = (n) =>
      byManager(attack, 'POST', path, { ...fields, template: inTurn(hostileTemplates, n) });
    return attack.flood(1, request, { perSecond: 4 });
  },
  'bodies that no format expects': (attack) => {
    const ids = Object.values(attack.scene.formatHookIds);
    const request = (n) =>
      to(inTurn(ids, n), hostileBodies[Math.floor(n / ids.length) % hostileBodies.length], EVENT);
    return attack.flood(2, request, { perSecond: 40 });
  },
  'long and many signatures': (attack) =>
    attack.flood(4, (n) => {
      const [preset, headers] = inTurn(hostileSignatures(`${Math.floor(Date.now() / 1_000)}`), n);
      return to(attack.scene.verifierHookIds[preset], '{"text":"forged"}', headers);
    }),
  'headers beyond the limit': (attack) =>
    attack.flood(
      1,
      (n) => {
        const { verifierHookIds: ids } = attack.scene;
        const signature = 'v1=a,'.repeat(n % 2 ? 200_000 : 20_000);
        return to(ids.stripe, '{"text":"forged"}', { 'stripe-signature': signature });
      },
      { perSecond: 10 },
    ),
  'fifty calls with the same new key': (attack) =>
    attack.flood(50, (n) => toHook(attack, { text: `Call ${n}.`, key: `key ${Math.floor(n / 50)}` }), {
      perSecond: 200,
    }),
  'updates of one message by key': (attack) =>
    attack.flood(8, (n) => toHook(attack, { text: 'x'.repeat(20_000) + n, key: 'one', on_key: 'update' }), {
      perSecond: 20,
    }),
  'long keys, and keys with control characters': (attack) => {
    const keys = [
      'k'.repeat(190),
      'k'.repeat(191),
      '😀'.repeat(190),
      '\u0001\n\u007f',
      ' ',
      'x'.repeat(200_000),
      '__proto__',
    ];
    const request = (n) =>
      toHook(attack, { text: 'x', key: inTurn(keys, n), on_key: inTurn(['thread', 'update', 'other'], n) });
    return attack.flood(2, request, { perSecond: 20 });
  },
};

/** A new user in one channel. */
const newcomer = {
  'a flood of posts': (attack) =>
    attack.flood(8, (n) => {
      const body = { channel_id: attack.scene.channelId, message: `A post, number ${n}.` };
      return byNewcomer(attack, 'POST', '/posts', body);
    }),
  'the longest lists of posts': (attack) =>
    attack.flood(4, () =>
      byNewcomer(attack, 'GET', `/channels/${attack.scene.channelId}/posts?per_page=200`),
    ),
  'lists that nobody reads': (attack) => {
    const { token } = attack.scene.newcomer;
    const path = `/api/v4/channels/${attack.scene.channelId}/posts?per_page=200`;
    const list = `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    return attack.drop(10, 5, 10, () => [list.repeat(5)]);
  },
  'expensive terms in user searches': (attack) => {
    const terms = [...slowTexts(2_000), '%', '_%_%_', letters(60)];
    return attack.flood(4, (n) => byNewcomer(attack, 'POST', '/users/search', { term: inTurn(terms, n) }));
  },
  'lists of users': (attack) =>
    attack.flood(2, (n) =>
      byNewcomer(attack, 'GET', `/users?per_page=200&page=${n % 5}&in_team=${attack.scene.teamId}`),
    ),
  'statuses of many ids': (attack) => {
    const ids = Array.from({ length: 5_000 }, unknownId);
    return attack.flood(2, () => byNewcomer(attack, 'POST', '/users/status/ids', ids));
  },
  'sockets that type all the time': (attack) => {
    const data = { channel_id: attack.scene.channelId, parent_id: '' };
    return frames(attack, 60, attack.scene.newcomer.token, 'user_typing', data);
  },
  'large preferences': (attack) =>
    attack.flood(2, (n) => {
      const fields = { user_id: attack.scene.newcomer.id, category: 'c', value: 'v'.repeat(20_000) };
      const preferences = Array.from({ length: 10 }, (_, of) => ({ ...fields, name: `n${n}-${of}` }));
      return byNewcomer(attack, 'PUT', '/users/me/preferences', preferences);
    }),
  'changes of the own profile': (attack) =>
    attack.flood(2, (n) => {
      const objects = { props: { a: 'x'.repeat(30_000) }, notify_props: { first_name: 'true' } };
      return byNewcomer(attack, 'PUT', '/users/me/patch', { nickname: `n${n}`, ...objects });
    }),
  'new sessions': (attack) =>
    attack.flood(2, () => {
      const { newcomer: account, password } = attack.scene;
      return byStranger(attack, 'POST', '/users/login', { login_id: account.username, password });
    }),
  'direct and group channels': (attack) =>
    attack.flood(2, (n) => {
      const { people, newcomer: self } = attack.scene;
      const [one, two] = [inTurn(people, n).id, inTurn(people, n * 7 + 1).id];
      return n % 2
        ? byNewcomer(attack, 'POST', '/channels/group', [self.id, one, two])
        : byNewcomer(attack, 'POST', '/channels/direct', [self.id, one]);
    }),
};

const post = (attack, message, fields) =>
  byMember(attack, 'POST', '/posts', { channel_id: attack.scene.channelId, message, ...fields });

/** An ordinary member of a team, in which webhooks respond badly to the member's posts. */
const member = {
  'messages that trigger webhooks with bad responses': (attack) =>
    attack.flood(4, (n) => post(attack, `deploy ${n}`)),
  'messages that are slow to parse': (attack) => {
    const texts = slowTexts(16_000);
    return attack.flood(2, (n) => post(attack, inTurn(texts, n)), { perSecond: 40 });
  },
  'messages that mention everybody': (attack) => {
    const names = attack.scene.people.map(({ username }) => `@${username}`).join(' ');
    return attack.flood(2, () => post(attack, `@all @channel @here ${names}`), { perSecond: 40 });
  },
  'large props': (attack) =>
    attack.flood(2, () => post(attack, 'props', { props: { a: 'x'.repeat(7_000) } })),
  'new channels': (attack) =>
    attack.flood(2, () => {
      const names = { name: `c${letters(14)}`, display_name: 'New' };
      return byMember(attack, 'POST', '/channels', { team_id: attack.scene.teamId, ...names, type: 'O' });
    }),
  searches: (attack) => {
    const terms = ['a*', 'deploy OR post', '"a b" -c', 'from:nobody', letters(60), 'x '.repeat(200), '%_%'];
    const path = `/teams/${attack.scene.teamId}/posts/search`;
    return attack.flood(4, (n) =>
      byMember(attack, 'POST', path, { terms: inTurn(terms, n), is_or_search: n % 2 === 0 }),
    );
  },
  'a long thread': (attack) =>
    attack.flood(2, (n) => {
      const { rootId } = attack.scene;
      return n % 2
        ? post(attack, `Reply ${n}.`, { root_id: rootId })
        : byMember(attack, 'GET', `/posts/${rootId}/thread`);
    }),
  'edits of one message': (attack) =>
    attack.flood(4, (n) =>
      byMember(attack, 'PUT', `/posts/${attack.scene.rootId}/patch`, { message: `Edit ${n}.` }),
    ),
  'posts by many ids': (attack) => {
    const ids = Array.from({ length: 1_000 }, unknownId);
    return attack.flood(2, () => byMember(attack, 'POST', '/posts/ids', ids));
  },
  'joining and leaving': (attack) =>
    attack.flood(2, (n) => {
      const { openChannelId, member: self } = attack.scene;
      const path = `/channels/${openChannelId}/members`;
      return n % 2
        ? byMember(attack, 'DELETE', `${path}/${self.id}`)
        : byMember(attack, 'POST', path, { user_id: self.id });
    }),
  'all lists': (attack) => {
    const { teamId, channelId } = attack.scene;
    const ofTeam = ['', '/members', '/categories'].map((list) => `/users/me/teams/${teamId}/channels${list}`);
    const pages = [`/teams/${teamId}/channels`, `/teams/${teamId}/members`, `/channels/${channelId}/members`];
    const paths = [
      ...['/users/me/channels', ...ofTeam, `/users/me/teams/${teamId}/threads`],
      ...[...pages, '/users', `/channels/${channelId}/posts`].map((path) => `${path}?per_page=200`),
    ];
    return attack.flood(4, (n) => byMember(attack, 'GET', inTurn(paths, n)));
  },
  'sockets that ask for statuses': (attack) => frames(attack, 60, attack.scene.member.token, 'get_statuses'),
};

export const attacks = {
  ...{ stranger, 'holder of a webhook URL': holder, 'sender with a format': sender },
  ...{ newcomer, member },
};
