/**
 * Fills a stopped server's database by bulk statements. Every row is a copy of one that the server has written, with ids,
 * times and texts of its own, so nothing here has to know all columns. Counters, indexes and statistics follow.
 */
import path from 'node:path';
import { createRequire } from 'node:module';
import { bundleOptions } from '../../scripts/bundle.mjs';
import { idOf, numbering, openDatabase } from './database.mjs';
import { listTable, multiply } from './rows.mjs';
import { makeTexts, rarePosts, rareWord } from './texts.mjs';

const require = createRequire(import.meta.url);
const dayMs = 86_400_000;
const otherChannels = 999;
/** Beside the big one, which has a fifth of all webhooks. */
const otherTeams = 79;
/** How many webhooks share the deliveries that are not of the busiest one. */
const otherOwners = 97;
const stepsPerMs = 2048;
/** No team has more members, so the big one has as many at each size. */
const members = 1_000;

/** What a database has at each size. Every so many posts one is in the big channel. */
export const sizes = {
  small: { posts: 40_000, bigEvery: 2, hooks: 500, users: 1_000, settled: 4_000, open: 1_600 },
  deliveries: { posts: 40_000, bigEvery: 2, hooks: 500, users: 1_000, settled: 1_000_000, open: 1_600 },
  '1m': { posts: 1_000_000, bigEvery: 10, hooks: 10_000, users: 2_000, settled: 100_000, open: 40_000 },
  '10m': {
    posts: 10_000_000,
    bigEvery: 10,
    hooks: 100_000,
    users: 20_000,
    settled: 1_000_000,
    open: 400_000,
  },
};

/** @param {object} models the ids of what `makeModels` of `models.mjs` has created through the API */
export async function fill(place, models, size, say = () => undefined) {
  const database = await openDatabase(place.yardstick);
  const now = Date.now() - 60_000;
  const context = { database, models, size, now, dataDir: place.env.DATA_DIR };
  for (const [what, step] of Object.entries({ fillPlaces, fillPosts, fillHooks, fillDeliveries })) {
    const startedAt = performance.now();
    await step(context);
    say(`${what.slice(4).toLowerCase()} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  const landmarks = await findLandmarks(database, models);
  await database.dropOwnTables();
  await database.close();
  return landmarks;
}

/** A post, a webhook of the big team and a delivery that are neither the newest nor the oldest. */
async function findLandmarks(database, { channel, outgoing, team }) {
  const middle = async (table, where, order, columns) => {
    const [{ n }] = await database.rows(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`);
    const [row] = await database.rows(
      `SELECT ${columns} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET ${Math.floor(Number(n) / 2)}`,
    );
    return { ...row, of: Number(n) };
  };
  return {
    post: await middle('posts', `channel_id = '${channel}'`, 'seq', 'id, create_at AS at'),
    incoming: await middle('incoming_webhooks', `team_id = '${team}'`, 'create_at, id', 'id'),
    delivery: await middle('deliveries', `owner_id = '${outgoing}'`, 'seq', 'id'),
  };
}

/** Teams, channels, people, and their memberships. */
async function fillPlaces({ database, models, size }) {
  const id = (table, count) => idOf(database, 'numbers.n', count, table);
  const team = id('teams', otherTeams);
  await multiply(database, {
    ...{ table: 'teams', where: `id = '${models.otherTeam}'`, count: otherTeams },
    columns: { id: team, name: "'growth-team-' || numbers.n", invite_id: id('invites', otherTeams) },
  });
  await multiply(database, {
    ...{ table: 'channels', where: `id = '${models.otherChannel}'`, count: otherTeams },
    columns: { id: id('squares', otherTeams), team_id: team },
  });
  const channel = id('channels', otherChannels);
  await multiply(database, {
    ...{ table: 'channels', where: `id = '${models.channel}'`, count: otherChannels },
    columns: { id: channel, name: "'growth-channel-' || numbers.n", display_name: "'Growth ' || numbers.n" },
  });
  await multiply(database, {
    ...{ table: 'channel_members', count: otherChannels },
    where: `channel_id = '${models.channel}' AND user_id = '${models.admin}'`,
    columns: { channel_id: channel },
  });
  const user = id('users', size.users);
  await multiply(database, {
    ...{ table: 'users', where: `id = '${models.user}'`, count: size.users },
    columns: {
      id: user,
      username: "'grown' || numbers.n",
      email: "'grown' || numbers.n || '@example.com'",
    },
  });
  await multiply(database, {
    ...{ table: 'team_members', count: members, columns: { user_id: user } },
    where: `team_id = '${models.team}' AND user_id = '${models.user}'`,
  });
  await multiply(database, {
    ...{ table: 'channel_members', count: members, columns: { user_id: user } },
    where: `channel_id = '${models.channel}' AND user_id = '${models.user}'`,
  });
}

/** Posts over a year, and the counters of their channels. */
async function fillPosts({ database, models, size, now }) {
  const count = size.posts;
  const texts = makeTexts();
  await listTable(database, 'bench_texts', texts, { n: 'INTEGER', message: 'VARCHAR(500)' });
  const { n, k } = numbering(database, count);
  const time = timeOf(k, count, now, 365 * dayMs);
  const rare = `CASE WHEN ${k} % ${count / rarePosts} = 3 THEN ' ${rareWord}' ELSE '' END`;
  await multiply(database, {
    ...{ table: 'posts', where: `id = '${models.post}'`, count, isReversible: true },
    join: `JOIN bench_texts AS texts ON texts.n = ${k} % ${texts.length}`,
    columns: {
      id: idOf(database, n, count, 'posts'),
      seq: `(${time}) * ${stepsPerMs}`,
      create_at: time,
      update_at: time,
      channel_id: `CASE WHEN ${k} % ${size.bigEvery} = 0 THEN '${models.channel}' ELSE ${idOf(database, `${k} % ${otherChannels}`, otherChannels, 'channels')} END`,
      message: `'Build ' || ${k} || ': ' || texts.message || ${rare}`,
    },
  });
  const counted = await database.rows(
    `SELECT channel_id AS id, COUNT(*) AS posts, MAX(create_at) AS last FROM posts WHERE type = '' GROUP BY channel_id`,
  );
  for (const { id, posts, last } of counted)
    await database.run(
      `UPDATE channels SET total_msg_count = ?, total_msg_count_root = ?, last_post_at = ?, last_root_post_at = ? WHERE id = ?`,
      [posts, posts, last, last, id],
    );
}

/** Webhooks of both kinds. Those that call out have secrets, which are sealed for their row. */
async function fillHooks({ database, models, size, now, dataDir }) {
  const count = size.hooks;
  const { n, k } = numbering(database, count);
  const time = timeOf(k, count, now, 200 * dayMs);
  const isBig = `${k} % 5 = 0`;
  const inTeam = (own, table) =>
    idOf(database, `${k} % ${otherTeams}`, otherTeams, table).replace(
      /^/,
      `CASE WHEN ${isBig} THEN ${own} ELSE `,
    ) + ' END';
  const common = { create_at: time, update_at: time, team_id: inTeam(`'${models.team}'`, 'teams') };
  const ownChannel = idOf(database, `${k} % ${otherChannels}`, otherChannels, 'channels');
  await multiply(database, {
    ...{ table: 'incoming_webhooks', where: `id = '${models.incoming}'`, count },
    columns: {
      ...common,
      id: idOf(database, n, count, 'incoming'),
      channel_id: inTeam(ownChannel, 'squares'),
    },
  });
  const id = idOf(database, n, count, 'outgoing');
  await listSecrets(database, models, dataDir, count, { n, id });
  await multiply(database, {
    ...{ table: 'outgoing_webhooks', where: `id = '${models.outgoing}'`, count },
    join: `JOIN bench_secrets AS secrets ON secrets.n = ${n}`,
    columns: {
      ...{ ...common, id, channel_id: `CASE WHEN ${isBig} THEN ${ownChannel} ELSE '' END` },
      trigger_words: `'["deploy' || ${k} || '","release train ' || ${k} || '"]'`,
      sealed_token: 'secrets.token',
      sealed_signing_secret: 'secrets.signing',
    },
  });
}

async function listSecrets(database, models, dataDir, count, { n, id }) {
  const box = await openSecretBox(dataDir);
  const [model] = await database.rows(
    `SELECT sealed_token AS token, sealed_signing_secret AS signing FROM outgoing_webhooks WHERE id = '${models.outgoing}'`,
  );
  const place = (column, of) => ({ table: 'outgoing_webhooks', column, id: of });
  const token = box.open(model.token, place('sealed_token', models.outgoing));
  const signing = box.open(model.signing, place('sealed_signing_secret', models.outgoing));
  const rows = await database.rows(
    `SELECT ${n} AS n, ${id} AS id FROM (${database.numbers(count)}) AS numbers`,
  );
  const sealed = rows.map((row) => ({
    n: row.n,
    token: box.seal(token, place('sealed_token', row.id)),
    signing: box.seal(signing, place('sealed_signing_secret', row.id)),
  }));
  await listTable(database, 'bench_secrets', sealed, {
    ...{ n: 'INTEGER', token: 'VARCHAR(512)', signing: 'VARCHAR(512)' },
  });
}

/** The server's own box, bundled from its source. */
async function openSecretBox(dataDir) {
  const outfile = path.join(dataDir, 'secret-box.cjs');
  const entryPoints = ['src/platform/secrets/secret-box.ts'];
  await require('esbuild').build({ ...bundleOptions(), entryPoints, outfile, logLevel: 'error' });
  const { SecretBox } = require(outfile);
  return new SecretBox({ dataDir });
}

/** Settled deliveries of the last 20 days, and open ones that are due from tomorrow on; half of each are of one webhook. */
async function fillDeliveries({ database, models, size, now }) {
  const kinds = [
    ['settled', size.settled, models.outgoing, models.delivered, (time) => ({ finish_at: `${time} + 20` })],
    [
      'open',
      size.open,
      models.refused,
      models.retrying,
      (_, k) => ({ next_attempt_at: `${now + dayMs} + ${k} * 100` }),
    ],
  ];
  for (const [name, count, busiest, model, more] of kinds) {
    const { n, k } = numbering(database, count);
    const id = idOf(database, n, count, name);
    const time = timeOf(k, count, now, 20 * dayMs);
    const owner = idOf(database, `${k} % ${otherOwners}`, size.hooks, 'outgoing');
    await multiply(database, {
      ...{ table: 'deliveries', where: `id = '${model}'`, count, isReversible: true },
      columns: {
        id,
        seq: `(${time}) * ${stepsPerMs}`,
        create_at: time,
        owner_id: `CASE WHEN ${k} % 2 = 0 THEN '${busiest}' ELSE ${owner} END`,
        subject_id: idOf(database, `${n} * 7 % ${size.posts}`, size.posts, 'posts'),
        ...more(time, k),
      },
    });
    await multiply(database, {
      ...{ table: 'delivery_attempts', where: `delivery_id = '${model}'`, count },
      columns: { delivery_id: id, start_at: time },
    });
  }
}

/** When number `k` of `count` was made, evenly spread over the time before `now`. */
function timeOf(k, count, now, overMs) {
  const step = Math.floor(overMs / count);
  return `${now - step * count} + ${k} * ${step}`;
}
