/** Starts WebSocket clients in a separate process. */
import { fork } from 'node:child_process';

/** `ask` runs a command in `live-clients.mjs`. */
export function startClients() {
  const child = fork(new URL('live-clients.mjs', import.meta.url));
  const waiting = new Map();
  let asked = 0;
  child.on('message', ({ id, answer }) => waiting.get(id)(answer));
  child.on('exit', (code) => {
    if (code) throw new Error(`The clients ended with ${code}.`);
  });
  return {
    ask: (command, options) =>
      new Promise((resolve) => {
        waiting.set(++asked, resolve);
        child.send({ id: asked, command, ...options });
      }),
    stop: () => new Promise((resolve) => (child.once('exit', resolve), child.kill())),
  };
}
