import { makeChannel, messageCount } from '../channels.mjs';
import { login, password, startHookline } from '../places.mjs';
import { residentMiB } from '../processes.mjs';
import { jsonRequest, sender, textOf } from '../requests.mjs';

/** Memory used under load is released after the server has been idle for a few seconds. */
const SETTLES_IN_MS = 20_000;

/** Memory of an idle process before and after load; a new one, so that earlier scenarios have no effect. */
export async function measureMemory(place, { database, sizes }) {
  const server = await startHookline(place, { isProbed: false });
  const rows = [];
  const note = async (done) => rows.push({ database, scenario: 'memory', done, ...(await atRest(server)) });
  await note(0);
  const api = await login(server.url, 'admin', password);
  const channel = await makeChannel(api);
  const hook = await api.call('POST', '/hooks/incoming', { channel_id: channel.id, display_name: 'Bench' });
  const post = sender(
    api.url,
    jsonRequest('POST', `${api.url}/hooks/${hook.id}`, { text: textOf(200), username: 'build-bot' }),
  );
  for (let run = 1; run <= 3; run++) {
    await post({ connections: 64, count: sizes.postsForMemory });
    await note(await messageCount(api, channel.id));
  }
  await server.stop();
  return rows;
}

/** Resident memory, and the smallest heap while waiting. */
async function atRest(server) {
  let heap = Infinity;
  for (let waited = 0; waited < SETTLES_IN_MS; waited += 500) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    heap = Math.min(heap, Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(metrics)?.[1]));
  }
  return { rssMiB: residentMiB(server.pid), heapMiB: heap / 1024 / 1024 };
}
