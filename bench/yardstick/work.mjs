/** What the yardstick does in each scenario. */
import { Agent, request } from 'undici';
import { hookAnswer, postAnswer, postListAnswer } from './answers.mjs';
import { batches } from './batches.mjs';
import { auditRow, columns, deliveryRow, hookRow, newId, postRow } from './rows.mjs';

const CALLS_AT_ONCE = 32;
const PAGE = 60;

/** Skips the rows before the page by reading only the index, as the server does. */
const list = `SELECT ${columns.incoming_webhooks} FROM incoming_webhooks
  JOIN (SELECT id AS place_id FROM incoming_webhooks WHERE team_id = ? AND delete_at = 0
    ORDER BY create_at, id LIMIT ${PAGE} OFFSET ?) AS place ON place_id = id
  ORDER BY create_at, id`;
const get = `SELECT ${columns.incoming_webhooks} FROM incoming_webhooks WHERE id = ? AND delete_at = 0`;
const read = `SELECT ${columns.posts} FROM posts WHERE channel_id = ? AND delete_at = 0
  ORDER BY seq DESC, id DESC LIMIT ${PAGE + 1}`;

/** Handlers by method and path: each takes a query and a body, and returns a response. */
export function makeWork(database) {
  const commit = batches(database.insert);
  const owner = newId();
  const team = newId();
  const channel = newId();
  const receivers = new Agent({ connections: CALLS_AT_ONCE });
  let urls = [];

  return {
    async 'POST /post'(_, { text, ...overrides }) {
      await commit([['posts', postRow({ owner, channel, text, overrides })]]);
      return { type: 'text/plain', text: 'ok' };
    },

    async 'GET /list'(query) {
      const [teamId, page] = query.split('&');
      const rows = await database.select(list, [teamId, Number(page) * PAGE]);
      return { text: JSON.stringify(rows.map(hookAnswer)) };
    },

    async 'GET /get'(id) {
      const [row] = await database.select(get, [id]);
      return { text: JSON.stringify(hookAnswer(row)) };
    },

    async 'GET /read'(channelId) {
      const rows = await database.select(read, [channelId]);
      return { text: JSON.stringify(postListAnswer(rows, PAGE)) };
    },

    async 'POST /create'(_, input) {
      const hook = hookRow({ owner, team, ...input });
      await commit([
        ['incoming_webhooks', Object.values(hook)],
        ['audits', auditRow(owner, hook.id)],
      ]);
      return { status: 201, text: JSON.stringify(hookAnswer(hook)) };
    },

    async 'POST /trigger'(_, { message }) {
      const post = postRow({ owner, channel, text: message, overrides: {} });
      const deliveries = urls.map((url) => ['deliveries', deliveryRow(post, url)]);
      await commit([['posts', post], ...deliveries]);
      const answer = postAnswer(post);
      const body = JSON.stringify(callBody(answer, team));
      return {
        status: 201,
        text: JSON.stringify(answer),
        after: () => urls.forEach((url) => call(url, body)),
      };
    },

    async 'PUT /receivers'(_, given) {
      urls = given;
      return { text: '{}' };
    },
  };

  async function call(url, body) {
    const headers = { 'Content-Type': 'application/json' };
    const reply = await request(url, { method: 'POST', body, headers, dispatcher: receivers });
    await reply.body.text();
  }
}

/** The request that a receiver of an outgoing webhook gets. */
function callBody(post, teamId) {
  return {
    token: newId(),
    team_id: teamId,
    team_domain: 'bench',
    channel_id: post.channel_id,
    channel_name: 'bench',
    timestamp: post.create_at,
    user_id: post.user_id,
    user_name: 'bench',
    post_id: post.id,
    text: post.message,
    trigger_word: post.message.split(' ')[0],
    file_ids: '',
  };
}
