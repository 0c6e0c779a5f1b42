import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { acceptAt, connect, inviteTo, Site } from './support/site.js';
import { eventually } from './support/test-server.js';

/*
 * Two real server processes, and between them a proxy that crashes them at critical moments: before the inviter
 * receives the confirmation, and after it has stored it. After each crash an administrator must be able to continue.
 */

let inviter: Site;
let acceptor: Site;
let proxy: Server;
/** What happens to the next confirmation. */
let disturb: { before?: () => Promise<void>; after?: () => Promise<void> } = {};

beforeAll(async () => {
  proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const forward = async () => {
      const isConfirmation = request.url?.endsWith('/confirm_invite') === true;
      const { before, after } = isConfirmation ? disturb : {};
      if (isConfirmation) disturb = {};
      await before?.();
      const { port } = inviter;
      const { url: path, headers } = request;
      const options = { host: '127.0.0.1', port, path, method: 'POST', headers };
      const forwarded = httpRequest(options, (answer) => {
        if (after) return void after().then(() => response.destroy());
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      forwarded.end(Buffer.concat(chunks));
    };
    request.on('end', () => void forward());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  [inviter, acceptor] = await Promise.all([
    Site.open('inviter', { SITE_URL: `http://127.0.0.1:${port}` }),
    Site.open('acceptor'),
  ]);
}, 120_000);
afterAll(async () => {
  await Promise.all([inviter.close(), acceptor.close()]);
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
}, 60_000);

const newInvite = async () => {
  const created = await inviteTo(inviter, 'branch');
  return { created, remoteId: created.remote_cluster.remote_id as string };
};
const states = async (remoteId: string) => {
  const [atInviter, atAcceptor] = await Promise.all([
    inviter.admin.get(`/remotecluster/${remoteId}`),
    acceptor.admin.get(`/remotecluster/${remoteId}`),
  ]);
  return {
    inviter: atInviter.body.site_url.startsWith('pending_') ? 'pending' : 'confirmed',
    acceptor: atAcceptor.status === 404 ? 'nothing' : 'confirmed',
  };
};
const restart = async (site: Site) => {
  await site.kill();
  await site.start();
};
const cleanUp = async (remoteId: string) => {
  for (const site of [inviter, acceptor]) await site.admin.delete(`/remotecluster/${remoteId}`);
};
/** Acts as an administrator who does not know what happened: deletes existing connections and connects again. */
const startOver = async (remoteId: string) => {
  await cleanUp(remoteId);
  const { remoteId: again } = await connect(inviter, acceptor);
  for (const site of [inviter, acceptor])
    expect((await site.admin.delete(`/remotecluster/${again}`)).status).toBe(200);
};
const attempt = async (created: any) => {
  const answer = await acceptAt(acceptor, 'head-office', created).catch(() => ({ status: 0 }));
  return answer.status;
};

describe('a crash in the middle of a handshake', () => {
  it('of the inviter before the confirmation leaves the invite valid: it is accepted again', async () => {
    const { created, remoteId } = await newInvite();
    disturb = { before: () => inviter.kill() };
    expect(await attempt(created)).toBe(500);
    await inviter.start();
    expect(await states(remoteId)).toEqual({ inviter: 'pending', acceptor: 'nothing' });
    expect(await attempt(created)).toBe(201);
    expect(await states(remoteId)).toEqual({ inviter: 'confirmed', acceptor: 'confirmed' });
    await cleanUp(remoteId);
  }, 60_000);

  it('of the inviter after the confirmation leaves nothing at the acceptor; the invite is used', async () => {
    const { created, remoteId } = await newInvite();
    disturb = { after: () => inviter.kill() };
    expect(await attempt(created)).toBe(500);
    await inviter.start();
    expect(await states(remoteId)).toEqual({ inviter: 'confirmed', acceptor: 'nothing' });
    expect(await attempt(created)).toBe(500);
    expect(await states(remoteId)).toEqual({ inviter: 'confirmed', acceptor: 'nothing' });
    await startOver(remoteId);
  }, 60_000);

  it('of the acceptor before the inviter has confirmed leaves the invite valid', async () => {
    const { created, remoteId } = await newInvite();
    disturb = {
      before: async () => {
        await acceptor.kill();
        await new Promise(() => undefined); // and the call never arrives
      },
    };
    expect(await attempt(created)).toBe(0);
    await acceptor.start();
    expect(await states(remoteId)).toEqual({ inviter: 'pending', acceptor: 'nothing' });
    expect(await attempt(created)).toBe(201);
    await cleanUp(remoteId);
  }, 60_000);

  it('of the acceptor after the inviter has confirmed leaves nothing there', async () => {
    const { created, remoteId } = await newInvite();
    disturb = { after: () => acceptor.kill() };
    expect(await attempt(created)).toBe(0);
    await acceptor.start();
    expect(await states(remoteId)).toEqual({ inviter: 'confirmed', acceptor: 'nothing' });
    await startOver(remoteId);
  }, 60_000);

  it('of either right after the handshake leaves a working connection', async () => {
    const { created, remoteId } = await newInvite();
    expect(await attempt(created)).toBe(201);
    await Promise.all([restart(acceptor), restart(inviter)]);
    for (const site of [inviter, acceptor]) {
      const since = Date.now();
      await eventually(async () => (await site.cluster(remoteId)).last_ping_at > since);
    }
    await cleanUp(remoteId);
  }, 60_000);
});
