import type { ModuleAccess } from '../support/module-access.js';
import { type PrivateWorld, MARKER } from '../factories/private-world.js';
import { type Body, outsider, member, teamAdmin, inOpen, leavesOut } from '../support/refusals.js';

const ofOpenPost = { params: ({ openPost }: PrivateWorld) => ({ post_id: openPost.id }) };
const changedPost: Body = ({ post }) => ({ id: post.id, message: 'changed' });

export const access: ModuleAccess = {
  refusals: {
    'GET /channels/:channel_id/pinned': [outsider(), teamAdmin()],
    'GET /channels/:channel_id/posts': [outsider(), outsider(undefined, inOpen), teamAdmin()],
    'POST /posts': [
      outsider(({ open }) => ({ channel_id: open.id, message: 'new' })),
      outsider(({ closed }) => ({ channel_id: closed.id, message: 'new' })),
      teamAdmin(({ closed }) => ({ channel_id: closed.id, message: 'new' })),
    ],
    'GET /posts/:post_id': [outsider(), teamAdmin()],
    'PUT /posts/:post_id': [outsider(changedPost), member(changedPost), teamAdmin(changedPost)],
    'PUT /posts/:post_id/patch': [
      outsider(() => ({ message: 'changed' })),
      member(() => ({ message: 'changed' })),
      teamAdmin(() => ({ message: 'changed' })),
    ],
    'GET /posts/:post_id/edit_history': [outsider(), member(), teamAdmin()],
    'POST /posts/:post_id/unpin': [outsider(), teamAdmin()],
    'POST /posts/:post_id/pin': [outsider(undefined, ofOpenPost), teamAdmin()],
    'GET /posts/:post_id/thread': [outsider(), teamAdmin()],
    'POST /posts/ids': [
      outsider(({ post }) => [post.id], leavesOut),
      teamAdmin(({ post }) => [post.id], leavesOut),
    ],
    'POST /teams/:team_id/posts/search': [outsider(() => ({ terms: MARKER, is_or_search: false }))],
    'GET /users/:user_id/channels/:channel_id/posts/unread': [outsider(), member()],
    'GET /users/:user_id/posts/flagged': [outsider()],
    'GET /users/:user_id/teams/:team_id/threads': [outsider()],
  },
  destroying: {
    'DELETE /posts/:post_id': [outsider(), member(), teamAdmin(), outsider(undefined, ofOpenPost)],
  },
};
