/** Fields of the forms of invites. */
export type InviteField = 'name' | 'team' | 'invite' | 'password';

/** Why the server has refused something, and what to do, in plain words. */
export interface Refusal {
  /** What it is about; undefined: the whole. */
  readonly field: InviteField | undefined;
  readonly meaning: string;
}

type Rule = readonly [id: RegExp, says: RegExp, field: InviteField | undefined, meaning: string];

/** By the id of the error and, where one id has several reasons, by words of its message; the first that fits counts. */
export const RULES: readonly Rule[] = [
  [
    /base64_decode_error$/,
    /./,
    'invite',
    'This is not a whole invite. Copy all of it from the other server, from the first letter to the last.',
  ],
  [
    /invite_decrypt_error$/,
    /./,
    'password',
    'The password does not open this invite. Copy both again: one of them belongs to another invite, or a letter is missing.',
  ],
  [
    /^model\.remote_cluster_invite/,
    /./,
    'invite',
    'The invite opens, but says nothing that can be used. Ask for a new one.',
  ],
  [
    /accept_invitation_error$/,
    /invite of this server/,
    'invite',
    'This server has made this invite itself. Accept it on the other server.',
  ],
  [
    /accept_invitation_error$/,
    /exists here already/,
    'invite',
    'The two servers are connected by this invite already: look for the other one in the list. For another connection, ask for a new invite.',
  ],
  [
    /accept_invitation_error$/,
    /to another server/,
    'invite',
    'An earlier connection by this invite led to another server. Ask for a new invite.',
  ],
  [
    /accept_invitation_error$/,
    /ask for a new one/,
    'invite',
    'The invite has expired, was used already or was withdrawn. Ask the administrator of the other server for a new one.',
  ],
  [
    /accept_invitation_error$/,
    /./,
    undefined,
    'The other server could not be asked. Nothing was stored, and the same invite can be tried again once that server can be reached from here.',
  ],
  [/model\.cluster\.is_valid\.(name|display_name)/, /./, 'name', 'The name may have 64 letters at most.'],
  [/model\.cluster\.is_valid\.id/, /./, 'team', 'Choose another team.'],
  [/invalid_body_param/, /default_team_id/, 'team', 'Choose a team that is not archived.'],
  [
    /invalid_body_param/,
    /password/,
    'password',
    'A password must be given; it may have 1,024 letters at most.',
  ],
  [
    /get_site_url_error$/,
    /./,
    undefined,
    'This server does not know its own address, which the other one must be told. Set SITE_URL and start this server again.',
  ],
  [
    /rate_limit_exceeded/,
    /./,
    undefined,
    'Ten invites may be tried in a minute. Wait a minute, and try again.',
  ],
  [
    /service_not_enabled/,
    /./,
    undefined,
    'Secure connections are switched off here. ENABLE_REMOTE_CLUSTERS=true switches them on.',
  ],
  [/context\.permissions/, /./, undefined, 'Your account may not manage secure connections.'],
];

/** An error, which has an id if it is an answer of the server. */
interface Told {
  readonly message: string;
  readonly id?: string;
}

/** What a refusal means; undefined where the server's own words are the best there are. */
export function refusalOf({ id = '', message }: Told): Refusal | undefined {
  const rule = RULES.find(([ids, says]) => ids.test(id) && says.test(message));
  return rule && { field: rule[2], meaning: rule[3] };
}
