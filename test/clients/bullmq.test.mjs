/** Bull Board, a stock page for BullMQ queues: lanes and schedules are listed, without payloads or URLs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { findPackage } from './support/npm-clients.mjs';
import { startScaledServer } from './support/scaled-server.mjs';
import { eventually, unique } from './support/scene.mjs';

const isInstalled = findPackage('bullmq') !== undefined;
const queueNames = ['lanes', 'schedules'];

describe('Bull Board', { skip: !isInstalled }, () => {
  const secret = unique('secret');
  const receivers = [];
  const hooks = [];
  let server;
  let channel;
  let board;

  before(async () => {
    // What fails once is due again in an hour.
    server = await startScaledServer({ OUTGOING_SCHEDULE: '0s,1h' });
    const team = await server.admin.createTeam({ name: unique('queues'), display_name: 'Queues', type: 'O' });
    channel = await server.admin.createChannel({
      ...{ team_id: team.id, name: unique('queues'), display_name: 'Queues', type: 'O' },
    });
    board = await openBoard(server.redisUrl);
  });

  after(async () => {
    await board?.close();
    await server?.stop();
    for (const receiver of receivers) {
      receiver.closeAllConnections();
      receiver.close();
    }
  });

  /** An endpoint, and a webhook that calls it with a secret in each field of a webhook. */
  async function addEndpoint(word, answer) {
    const receiver = createServer(answer).listen(0, '127.0.0.1');
    receivers.push(receiver);
    await once(receiver, 'listening');
    const hook = await server.admin.createOutgoingWebhook({
      team_id: channel.team_id,
      channel_id: channel.id,
      display_name: word,
      trigger_words: [word],
      callback_urls: [`http://127.0.0.1:${receiver.address().port}/path-${secret}?token=query-${secret}`],
      content_type: 'application/json',
    });
    hooks.push(hook);
  }

  test('shows a lane that is active, and one that waits for its next attempt', async () => {
    await addEndpoint('hang', () => undefined);
    await addEndpoint('fail', (_request, response) => response.writeHead(500).end(`answer-${secret}`));
    const noon = Date.now();
    for (const word of ['hang', 'fail'])
      await server.admin.createPost({ channel_id: channel.id, message: `${word} message-${secret}` });
    const lanes = await eventually('one active job and one delayed', async () => {
      const queue = await board.queue('lanes');
      return queue.counts.active === 1 && queue.counts.delayed === 1 && queue;
    });
    assert.deepEqual(
      Object.values(lanes.counts).reduce((sum, count) => sum + count, 0),
      2,
    );
    const [active] = (await board.queue('lanes', 'active')).jobs;
    assert.ok(active.processedOn >= noon);
    const [delayed] = (await board.queue('lanes', 'delayed')).jobs;
    assert.ok(delayed.timestamp + delayed.delay >= noon + 0.8 * 3_600_000); // delays vary by 20 %
  });

  test('shows the schedules, each with its next run', async () => {
    const schedules = await eventually('the schedules', async () => {
      const { jobs } = await board.queue('schedules', 'delayed');
      return jobs.some(({ name }) => name === 'pings') && jobs;
    });
    const names = schedules.map(({ name }) => name);
    assert.ok(names.includes('purge of deliveries'), names.join(', '));
    assert.equal(new Set(names).size, names.length);
    for (const { timestamp, delay } of schedules) assert.ok(timestamp + delay > Date.now() - 5_000);
  });

  test('shows neither payloads nor URLs', async () => {
    const pages = await board.everything();
    assert.ok(pages.length > 10);
    const seen = pages.join('\n');
    const hidden = [secret, ...hooks.flatMap(({ id, token, signing_secret: key }) => [id, token, key])];
    for (const text of hidden) assert.ok(typeof text === 'string' && text.length > 10);
    const addresses = receivers.flatMap((receiver) => {
      const { address, port } = receiver.address();
      return [`${address}:${port}`, address, `:${port}`];
    });
    assert.equal(addresses.length, 6);
    assert.deepEqual(
      [...hidden, ...addresses].filter((text) => seen.includes(text)),
      [],
    );
  });

  test('logs no errors, and keeps all keys in one slot of a cluster', async () => {
    assert.deepEqual(server.errors(), []);
    const { keys, slots } = await board.spread();
    assert.ok(keys > 20);
    assert.equal(slots, 1);
  });
});

/** The board as in its documentation, read-only, on the queues in Redis. */
async function openBoard(redisUrl) {
  const { Queue, RedisConnection } = findPackage('bullmq');
  const { createBullBoard } = findPackage('@bull-board/api');
  const { BullMQAdapter } = findPackage('@bull-board/api/bullMQAdapter');
  const { ExpressAdapter } = findPackage('@bull-board/express');
  const { hostname: host, port } = new URL(redisUrl);
  const connection = { host, port: Number(port) };

  const redis = new RedisConnection(connection);
  const prefix = await eventually('the queues of an installation in Redis', async () => {
    const found = await (await redis.client).keys('*:meta');
    const prefixes = queueNames.map((name) => found.find((key) => key.endsWith(`:${name}:meta`)));
    return prefixes.every(Boolean) && prefixes[0].slice(0, -':lanes:meta'.length);
  });
  const queues = queueNames.map((name) => new Queue(name, { connection, prefix }));
  const serverAdapter = new ExpressAdapter();
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
  });
  const listener = findPackage('express')().use(serverAdapter.getRouter()).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = `http://127.0.0.1:${listener.address().port}/api/queues`;

  const read = async (path) => {
    const answer = await fetch(`${url}${path}`);
    assert.equal(answer.status, 200, path);
    return answer.text();
  };
  const list = (name, status) =>
    read(`?${new URLSearchParams({ activeQueue: name, status, page: 1, jobsPerPage: 100 })}`);
  const queuesOf = async (name, status = 'latest') => JSON.parse(await list(name, status)).queues;
  const queueOf = async (name, status) => (await queuesOf(name, status)).find((queue) => queue.name === name);
  return {
    queues: queuesOf,
    queue: queueOf,
    /** The number of keys, and of their slots in Redis Cluster. */
    async spread() {
      const client = await redis.client;
      const keys = await client.keys('*');
      const slots = await Promise.all(keys.map((key) => client.call('CLUSTER', 'KEYSLOT', key)));
      return { keys: keys.length, slots: new Set(slots).size };
    },
    /** The lists of both queues, and each job of them with its log. */
    async everything() {
      const pages = [];
      for (const name of queueNames) {
        const { jobs } = await queueOf(name);
        assert.ok(jobs.length >= 2, name);
        pages.push(await list(name, 'latest'));
        for (const { id } of jobs)
          for (const part of ['', '/logs']) {
            const path = `/${name}/${encodeURIComponent(id)}${part}`;
            const answer = await fetch(`${url}${path}`);
            if (answer.status === 404) continue; // a schedule that became due has another job by now
            assert.equal(answer.status, 200, path);
            pages.push(await answer.text());
          }
      }
      return pages;
    },
    async close() {
      listener.closeAllConnections();
      listener.close();
      await Promise.all([redis, ...queues].map((each) => each.close()));
    },
  };
}
