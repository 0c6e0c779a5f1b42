/** What a caller without an account or a secret can do. */
import { deepJson, dearTexts, letters, unknownId } from './tools.mjs';

export const strangerAttacks = {
  'a flood of pings': (attack) => attack.flood(8, () => ({ path: '/api/v4/system/ping' })),

  'unknown paths': (attack) =>
    attack.flood(4, (n) => ({ path: `/${letters(10)}/${n % 2 ? 'x'.repeat(8_000) : '%F0%9F%98%80'}` })),

  'large bodies for unknown webhooks': (attack) => {
    const texts = dearTexts(90_000);
    return attack.flood(4, (n) => ({
      method: 'POST',
      path: `/hooks/${unknownId()}`,
      body: { text: texts[n % texts.length] },
    }));
  },

  'slow bodies': (attack) =>
    attack.trickle(
      200,
      () => `POST /hooks/${unknownId()} HTTP/1.1\r\nHost: a\r\nContent-Length: 290000\r\n\r\n`,
    ),

  'slow bodies that start late and never end': (attack) =>
    attack.drop(20, 2_000, 500, () => [
      `POST /hooks/${unknownId()} HTTP/1.1\r\nHost: a\r\nContent-Length: 290000\r\n\r\n`,
      'a'.repeat(280_000),
    ]),

  'pipelined requests that are aborted': (attack) =>
    attack.drop(10, 100, 20, () => {
      const one = `POST /hooks/${unknownId()} HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n${'a'.repeat(20_000)}`;
      return [one.repeat(20), one.slice(0, 10_000)];
    }),

  'slow headers': (attack) => attack.trickle(200, () => 'GET /api/v4/system/ping HTTP/1.1\r\nHost: '),

  'idle connections': (attack) => attack.trickle(500, () => '', 3_600_000),

  'guessed passwords': (attack) =>
    attack.flood(8, (n) => ({
      method: 'POST',
      path: '/api/v4/users/login',
      body: {
        login_id: n % 2 ? attack.scene.bystander.username : letters(12),
        password: `guess ${letters(20)}`,
      },
    })),

  'sign-ups': (attack) =>
    attack.flood(4, (n) => ({
      method: 'POST',
      path: `/api/v4/users${n % 2 ? '' : `?iid=${unknownId()}`}`,
      body: { username: `u${letters(12)}`, email: `${letters(12)}@example.com`, password: letters(60) },
    })),

  'sockets that never authenticate': (attack) =>
    attack.sockets(300, undefined, (socket) => socket.send('{"seq":1,"action":"ping"'), 500),

  'frames of unknown peers': (attack) =>
    attack.flood(4, (n) => ({
      method: 'POST',
      path: `/api/v4/remotecluster/${['ping', 'msg', 'confirm_invite'][n % 3]}`,
      headers: { 'x-remotecluster-id': unknownId(), 'x-remotecluster-token': letters(26) },
      body: { remote_id: unknownId(), msg: { id: unknownId(), topic: 'x', payload: 'y'.repeat(50_000) } },
    })),

  'JSON that is nested deeply': (attack) => {
    const body = deepJson(30_000);
    return attack.flood(2, () => ({ method: 'POST', path: '/api/v4/users/login', body }));
  },

  'unknown tokens': (attack) => attack.flood(4, () => ({ path: '/api/v4/users/me', token: letters(26) })),
};
