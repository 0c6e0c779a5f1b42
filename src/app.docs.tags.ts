/** The groups of the API description with their purpose, most important first. */
export const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['incoming webhooks', 'URLs to which programs post messages.'],
  ['outgoing webhooks', 'Messages that trigger calls to programs, by channel or trigger word.'],
  ['deliveries of outgoing webhooks', 'Calls that were made or are waiting: inspect and resend them.'],
  ['secure connections', 'Servers that trust each other: create or accept an invite.'],
  ['shared channels', 'Channels that several connected servers share.'],
  ['posts', 'Write, read, search and pin messages.'],
  ['channels', 'Places for messages, and their members.'],
  ['teams', 'Groups of channels and users.'],
  ['users', 'Accounts of users and bots.'],
  ['bots', 'Accounts for programs, which have tokens and cannot log in.'],
  ['sessions', 'Log in, log out, and list the sessions of an account.'],
  ['personal access tokens', 'Credentials for programs; they are valid until they are revoked.'],
  ['roles', 'Permissions, and the roles that grant them.'],
  ['preferences', 'Settings that clients store for a user.'],
  ['status', 'Whether users are online, away or in do-not-disturb mode.'],
  ['system', 'The server itself: version, client settings, audit log, WebSocket events.'],
  ['operation', 'Health checks and metrics.'],
  ['not available', 'Unsupported features that clients request: the lists are empty.'],
  ['between servers', 'Calls between connected servers only.'],
];

/** The groups that have operations, in this order. */
export function orderedTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  return TAGS.filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description }));
}
