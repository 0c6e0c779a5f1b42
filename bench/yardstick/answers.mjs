/** Converts rows to API responses. */
import { columns } from './rows.mjs';

export function hookAnswer(row) {
  return {
    ...row,
    maker_id: undefined,
    channel_locked: row.channel_locked === 1,
    keep_requests: row.keep_requests === 1,
    owner_state: 'active',
  };
}

const postColumns = columns.posts.split(',');

/** The response to a new post, from the values of its row. */
export function postAnswer(values) {
  return postOf(Object.fromEntries(postColumns.map((name, n) => [name, values[n]])));
}

function postOf(row) {
  return {
    id: row.id,
    create_at: row.create_at,
    update_at: row.update_at,
    edit_at: row.edit_at,
    delete_at: row.delete_at,
    is_pinned: row.is_pinned === 1,
    user_id: row.user_id,
    channel_id: row.channel_id,
    root_id: row.root_id,
    original_id: row.original_id,
    message: row.message,
    type: row.type,
    props: JSON.parse(row.props),
    hashtags: row.hashtags,
    file_ids: [],
    pending_post_id: row.pending_post_id,
    reply_count: row.reply_count,
    last_reply_at: row.last_reply_at,
    participants: null,
    metadata: JSON.parse(row.metadata),
  };
}

/** The newest posts of a channel; an extra row after the page means that there are older ones. */
export function postListAnswer(rows, page) {
  const posts = {};
  const order = [];
  for (const row of rows.slice(0, page)) {
    order.push(row.id);
    posts[row.id] = postOf(row);
  }
  return {
    order,
    posts,
    next_post_id: '',
    prev_post_id: rows[page]?.id ?? '',
    first_inaccessible_post_time: 0,
  };
}
