/** The rows that the yardstick writes. */
import { randomUUID } from 'node:crypto';

export const columns = {
  posts:
    'id,seq,create_at,update_at,edit_at,delete_at,user_id,channel_id,root_id,original_id,message,type,props,hashtags,is_pinned,pending_post_id,metadata,reply_count,last_reply_at',
  incoming_webhooks:
    'id,create_at,update_at,delete_at,user_id,channel_id,team_id,display_name,description,username,icon_url,channel_locked,keep_requests,last_used,maker_id',
  audits: 'id,create_at,user_id,action,target,result,status,error_id,request_id,address,parameters',
  deliveries:
    'id,seq,kind,owner_id,subject_id,url,lane,body,shares_payload,content_type,status,reason,attempts,step,next_attempt_at,create_at,finish_at,last_code,last_error,reply_post_id',
};

export const marks = (table) => `(${columns[table].replace(/\w+/g, '?')})`;

export const newId = () => randomUUID().replaceAll('-', '').slice(0, 26);

let seq = Date.now() * 2048;

export function postRow({ owner, channel, text, overrides }) {
  const now = Date.now();
  const props = JSON.stringify({
    from_webhook: 'true',
    webhook_display_name: '',
    override_username: overrides.username,
  });
  return [newId(), ++seq, now, now, 0, 0, owner, channel, '', '', text, '', props, '', 0, '', '{}', 0, 0];
}

/** In the order of the columns. */
export function hookRow({ owner, team, channel_id, display_name }) {
  const now = Date.now();
  return {
    id: newId(),
    create_at: now,
    update_at: now,
    delete_at: 0,
    user_id: owner,
    channel_id,
    team_id: team,
    display_name,
    description: '',
    username: '',
    icon_url: '',
    channel_locked: 0,
    keep_requests: 0,
    last_used: 0,
    maker_id: owner,
  };
}

export function auditRow(owner, target) {
  return [
    newId(),
    Date.now(),
    owner,
    'create_incoming_webhook',
    target,
    'success',
    201,
    '',
    newId(),
    '127.0.0.1',
    '',
  ];
}

/** Stored as delivered, because the server that shares the table would make calls that are due. */
export function deliveryRow([postId, postSeq, createAt], url) {
  return [
    newId(),
    postSeq,
    'outgoing_webhook',
    postId,
    postId,
    url,
    new URL(url).origin,
    '{"trigger_word":"!deploy"}',
    0,
    'application/json',
    'delivered',
    '',
    0,
    0,
    createAt,
    createAt,
    createAt,
    0,
    '',
    '',
  ];
}
