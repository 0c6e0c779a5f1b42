/** The groups of the API description with their purpose, most important first. */
export const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['incoming webhooks', 'Addresses to which programs post messages.'],
  ['outgoing webhooks', 'Messages that call programs, by channel or by trigger word.'],
  ['deliveries of outgoing webhooks', 'Each call that was made or waits: look at it, send it again.'],
  ['secure connections', 'Servers that trust each other: invite one, accept an invite.'],
  ['shared channels', 'Channels that are on several connected servers.'],
  ['posts', 'Write, read, search and pin messages.'],
  ['channels', 'Where messages stand, and who is in them.'],
  ['teams', 'What channels and people belong to.'],
  ['users', 'Accounts of people and programs.'],
  ['bots', 'Accounts of programs, which hold tokens and cannot log in.'],
  ['sessions', 'Log in, log out, see where an account is signed in.'],
  ['personal access tokens', 'What programs sign in with; they last until they are revoked.'],
  ['roles', 'Which permissions there are, and who has them.'],
  ['preferences', 'What clients keep for a person.'],
  ['status', 'Who is online, away or not to be disturbed.'],
  ['system', 'The server itself: version, settings for clients, audit log, stream of events.'],
  ['operation', 'Health checks and metrics.'],
  ['not available', 'What clients ask for that is not here: the answers are empty.'],
  ['between servers', 'What only connected servers call.'],
];

/** The groups that have operations, in this order. */
export function orderedTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  return TAGS.filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description }));
}
