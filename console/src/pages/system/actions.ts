/** Kinds of records in an audit target, by its parts. */
export type TargetKind =
  'incoming' | 'outgoing' | 'delivery' | 'peer' | 'channel' | 'user' | 'team' | 'other';

type Action = readonly [words: string, ...targets: TargetKind[]];

/** Descriptions of the audit log actions, and the kinds of their targets. */
const ACTIONS: Readonly<Record<string, Action>> = {
  create_incoming_webhook: ['Added an incoming webhook', 'incoming'],
  update_incoming_webhook: ['Changed an incoming webhook', 'incoming'],
  delete_incoming_webhook: ['Deleted an incoming webhook', 'incoming'],
  replay_incoming_webhook_request: ['Replayed a call', 'incoming'],
  create_outgoing_webhook: ['Added an outgoing webhook', 'outgoing'],
  update_outgoing_webhook: ['Changed an outgoing webhook', 'outgoing'],
  patch_outgoing_webhook: ['Changed an outgoing webhook', 'outgoing'],
  delete_outgoing_webhook: ['Deleted an outgoing webhook', 'outgoing'],
  enable_outgoing_webhook: ['Enabled an outgoing webhook', 'outgoing'],
  disable_outgoing_webhook: ['Disabled a failing outgoing webhook', 'outgoing'],
  disable_outgoing_webhook_url: ['Disabled a failing URL', 'outgoing'],
  test_outgoing_webhook: ['Tested an outgoing webhook', 'outgoing'],
  regenerate_outgoing_webhook_token: ['Replaced the secrets of a webhook', 'outgoing'],
  retry_delivery: ['Sent a delivery again', 'outgoing', 'delivery'],
  skip_delivery: ['Skipped a delivery', 'outgoing', 'delivery'],
  retry_deliveries: ['Sent deliveries again'],
  sign_delivery: ['Created a command for a delivery', 'outgoing', 'delivery'],
  recover_deliveries: ['Sent missed deliveries again', 'outgoing'],
  recover_deliveries_dry_run: ['Counted missed deliveries', 'outgoing'],
  stop_recovery: ['Stopped sending missed deliveries', 'outgoing', 'other'],
  createRemoteCluster: ['Invited a server', 'peer'],
  generateRemoteClusterInvite: ['Created a new invite', 'peer'],
  remoteClusterAcceptInvite: ['Accepted an invite', 'peer'],
  remoteClusterAcceptMessage: ['Accepted a message from a server', 'peer'],
  patchRemoteCluster: ['Changed a connection', 'peer'],
  checkRemoteCluster: ['Checked a connection', 'peer'],
  deleteRemoteCluster: ['Disconnected a server', 'peer'],
  inviteRemoteClusterToChannel: ['Shared a channel', 'peer', 'channel'],
  uninviteRemoteClusterToChannel: ['Stopped sharing a channel', 'peer', 'channel'],
  create_user: ['Added a person', 'user'],
  update_user: ['Changed an account', 'user'],
  patch_user: ['Changed an account', 'user'],
  update_user_active: ['Activated or deactivated an account', 'user'],
  update_user_roles: ['Changed a role', 'user'],
  update_password: ['Set a password', 'user'],
  delete_user: ['Deactivated an account', 'user'],
  create_bot: ['Added a bot', 'user'],
  patch_bot: ['Changed a bot', 'user'],
  enable_bot: ['Enabled a bot', 'user'],
  disable_bot: ['Disabled a bot', 'user'],
  assign_bot: ['Assigned a bot to another owner', 'user'],
  convert_bot_to_user: ['Converted a bot to a person', 'user'],
  convert_user_to_bot: ['Converted a person to a bot', 'user'],
  create_user_access_token: ['Added a token', 'user'],
  disable_user_access_token: ['Disabled a token', 'other'],
  enable_user_access_token: ['Enabled a token', 'other'],
  revoke_user_access_token: ['Revoked a token', 'other'],
  revoke_session: ['Ended a session', 'user', 'other'],
  revoke_all_sessions: ['Ended all sessions of an account', 'user'],
  revoke_all_sessions_of_all_users: ['Ended all sessions of all users'],
  patch_role: ['Changed the permissions of a role', 'other'],
  create_team: ['Added a team', 'team'],
  update_team: ['Changed a team', 'team'],
  patch_team: ['Changed a team', 'team'],
  delete_team: ['Archived a team', 'team'],
  restore_team: ['Restored a team', 'team'],
  update_team_privacy: ['Changed who may join a team', 'team'],
  regenerate_team_invite_id: ['Created a new invite to a team', 'team'],
  join_team_by_invite: ['Joined a team with an invite', 'other'],
  add_team_member: ['Added a member to a team', 'team', 'user'],
  add_team_members: ['Added members to a team', 'team'],
  remove_team_member: ['Removed a member from a team', 'team', 'user'],
  update_team_member_roles: ['Changed a role in a team', 'team', 'user'],
  update_team_member_scheme_roles: ['Changed a role in a team', 'team', 'user'],
  create_channel: ['Added a channel', 'channel'],
  update_channel: ['Changed a channel', 'channel'],
  patch_channel: ['Changed a channel', 'channel'],
  delete_channel: ['Archived a channel', 'channel'],
  restore_channel: ['Restored a channel', 'channel'],
  update_channel_privacy: ['Changed who may join a channel', 'channel'],
  add_channel_member: ['Added a member to a channel', 'channel', 'user'],
  remove_channel_member: ['Removed a member from a channel', 'channel', 'user'],
  update_channel_member_roles: ['Changed a role in a channel', 'channel', 'user'],
  update_channel_member_scheme_roles: ['Changed a role in a channel', 'channel', 'user'],
};

/** Descriptions by action. Several actions may have the same. */
export const DESCRIBED_ACTIONS = Object.fromEntries(
  Object.entries(ACTIONS).map(([action, [words]]) => [action, words]),
);

/** Description of an action; empty if it has none. */
export const describeAction = (action: string): string => ACTIONS[action]?.[0] ?? '';

/** Part of an audit target. */
export interface Target {
  readonly kind: TargetKind;
  readonly id: string;
}

/** Splits an audit target into parts; a refused call may lack the last ones. */
export function targetsOf({
  action,
  target,
}: {
  readonly action: string;
  readonly target: string;
}): readonly Target[] {
  const [, ...kinds] = ACTIONS[action] ?? [''];
  return target
    .split('/')
    .filter((id) => id !== '')
    .map((id, index) => ({ id, kind: kinds[index] ?? 'other' }));
}
