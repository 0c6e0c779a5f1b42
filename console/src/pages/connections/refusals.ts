/** Meanings of refusals, by the field they concern. Each is found by the id and message of the error; the first match wins. */
export const MEANINGS: readonly (readonly [
  field: string,
  refusals: readonly (readonly [RegExp, string])[],
])[] = [
  [
    'invite',
    [
      [/base64_decode_error/, 'This is not a complete invite. Copy the whole text from the other server.'],
      [
        /^model\.remote_cluster_invite/,
        'The invite can be opened, but its content is not valid. Ask for a new one.',
      ],
      [
        /accept_invitation_error.*invite of this server/,
        'This invite was created by this server. Accept it on the other server.',
      ],
      [
        /accept_invitation_error.*already exists here/,
        'The two servers are already connected through this invite: look for the other one in the list. For another connection, ask for a new invite.',
      ],
      [
        /accept_invitation_error.*to another server/,
        'An earlier connection with this invite led to another server. Ask for a new invite.',
      ],
      [
        /accept_invitation_error.*ask for a new one/,
        'The invite has expired, was already used or was withdrawn. Ask the administrator of the other server for a new one.',
      ],
    ],
  ],
  [
    'password',
    [
      [
        /invite_decrypt_error/,
        'The password does not open this invite. Copy both again: one of them belongs to another invite or is incomplete.',
      ],
      [/invalid_body_param.*password/, 'A password is required; it may have at most 1,024 characters.'],
    ],
  ],
  ['name', [[/model\.cluster\.is_valid\.(name|display_name)/, 'Use at most 64 characters.']]],
  [
    'team',
    [
      [/model\.cluster\.is_valid\.id/, 'Choose another team.'],
      [/invalid_body_param.*default_team_id/, 'Choose a team that is not archived.'],
    ],
  ],
  [
    '',
    [
      [
        /accept_invitation_error/,
        'The other server could not be reached. Nothing was stored. Try the same invite again once this server can reach it.',
      ],
      [
        /get_site_url_error/,
        'This server does not know its own address, which it must send to the other server. Set SITE_URL and restart this server.',
      ],
      [/rate_limit_exceeded/, 'At most ten invites can be tried per minute. Wait a minute and try again.'],
      [
        /service_not_enabled/,
        'Secure connections are switched off here. Set ENABLE_REMOTE_CLUSTERS=true to switch them on.',
      ],
      [/context\.permissions/, 'Your account may not manage secure connections.'],
    ],
  ],
];

/** An error; it has an id if it came from the server. */
interface RefusedCall {
  readonly message: string;
  readonly id?: string;
}

/** Explains a refusal, with what to do; undefined if the server's message is clear enough. */
export function refusalOf({ id = '', message }: RefusedCall) {
  for (const [field, refusals] of MEANINGS)
    for (const [sign, meaning] of refusals)
      if (sign.test(`${id} ${message}`)) return { field: field || undefined, meaning };
  return undefined;
}
