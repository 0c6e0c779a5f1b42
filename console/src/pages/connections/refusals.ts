/** Fields of the invite forms. */
export type InviteField = 'name' | 'team' | 'invite' | 'password';

/** Plain-language reason for a refusal, with what to do. */
export interface Refusal {
  /** Undefined if it concerns the whole form. */
  readonly field: InviteField | undefined;
  readonly meaning: string;
}

type Rule = readonly [id: RegExp, says: RegExp, field: InviteField | undefined, meaning: string];

/** Matched by error id and, if an id has several reasons, by message text; the first match wins. */
export const RULES: readonly Rule[] = [
  [
    /base64_decode_error$/,
    /./,
    'invite',
    'This is not a complete invite. Copy the whole text from the other server.',
  ],
  [
    /invite_decrypt_error$/,
    /./,
    'password',
    'The password does not open this invite. Copy both again: one of them belongs to another invite or is incomplete.',
  ],
  [
    /^model\.remote_cluster_invite/,
    /./,
    'invite',
    'The invite can be opened, but its content is not valid. Ask for a new one.',
  ],
  [
    /accept_invitation_error$/,
    /invite of this server/,
    'invite',
    'This invite was created by this server. Accept it on the other server.',
  ],
  [
    /accept_invitation_error$/,
    /already exists here/,
    'invite',
    'The two servers are already connected through this invite: look for the other one in the list. For another connection, ask for a new invite.',
  ],
  [
    /accept_invitation_error$/,
    /to another server/,
    'invite',
    'An earlier connection with this invite led to another server. Ask for a new invite.',
  ],
  [
    /accept_invitation_error$/,
    /ask for a new one/,
    'invite',
    'The invite has expired, was already used or was withdrawn. Ask the administrator of the other server for a new one.',
  ],
  [
    /accept_invitation_error$/,
    /./,
    undefined,
    'The other server could not be reached. Nothing was stored. Try the same invite again once this server can reach it.',
  ],
  [/model\.cluster\.is_valid\.(name|display_name)/, /./, 'name', 'The name may have at most 64 characters.'],
  [/model\.cluster\.is_valid\.id/, /./, 'team', 'Choose another team.'],
  [/invalid_body_param/, /default_team_id/, 'team', 'Choose a team that is not archived.'],
  [
    /invalid_body_param/,
    /password/,
    'password',
    'A password is required; it may have at most 1,024 characters.',
  ],
  [
    /get_site_url_error$/,
    /./,
    undefined,
    'This server does not know its own address, which it must send to the other server. Set SITE_URL and restart this server.',
  ],
  [
    /rate_limit_exceeded/,
    /./,
    undefined,
    'At most ten invites can be tried per minute. Wait a minute and try again.',
  ],
  [
    /service_not_enabled/,
    /./,
    undefined,
    'Secure connections are switched off here. Set ENABLE_REMOTE_CLUSTERS=true to switch them on.',
  ],
  [/context\.permissions/, /./, undefined, 'Your account may not manage secure connections.'],
];

/** An error; it has an id if it came from the server. */
interface RefusedCall {
  readonly message: string;
  readonly id?: string;
}

/** Explains a refusal; undefined if the server's message is clear enough. */
export function refusalOf({ id = '', message }: RefusedCall): Refusal | undefined {
  const rule = RULES.find(([ids, says]) => ids.test(id) && says.test(message));
  return rule && { field: rule[2], meaning: rule[3] };
}
