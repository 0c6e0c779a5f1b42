import type { Finding } from '../findings.js';
import type { MattermostDatabase } from './source.js';

/** What has no place here: the table there, the column that names an example, and a condition. */
const KINDS: readonly (readonly [kind: string, table: string, example: string, where?: string])[] = [
  ['slash commands', 'Commands', 'Trigger', 'DeleteAt = 0'],
  ['custom emoji', 'Emoji', 'Name', 'DeleteAt = 0'],
  ['reactions', 'Reactions', 'EmojiName'],
  ['files', 'FileInfo', 'Name', 'DeleteAt = 0'],
  ['groups', 'UserGroups', 'DisplayName', 'DeleteAt = 0'],
  ['permission schemes', 'Schemes', 'DisplayName', 'DeleteAt = 0'],
  ['guests', 'Users', 'Username', "Roles LIKE '%system_guest%'"],
  ['plugins with data', 'PluginKeyValueStore', 'PluginId'],
  ['OAuth applications', 'OAuthApps', 'Name'],
  ['outgoing OAuth connections', 'OutgoingOAuthConnections', 'Name'],
  ['channel bookmarks', 'ChannelBookmarks', 'DisplayName', 'DeleteAt = 0'],
  ['playbooks', 'IR_Playbook', 'Title', 'DeleteAt = 0'],
  ['playbook runs', 'IR_Incident', 'Name'],
  ['boards', 'focalboard_boards', 'title'],
  ['drafts', 'Drafts', 'ChannelId'],
  ['scheduled messages', 'ScheduledPosts', 'ChannelId'],
  ['sidebar categories', 'SidebarCategories', 'DisplayName', "Type = 'custom'"],
  ['followed threads', 'ThreadMemberships', 'PostId', 'Following = 1'],
  ['retention policies', 'RetentionPolicies', 'DisplayName'],
  ['terms of service', 'TermsOfService', 'Id'],
];

/** Counts what cannot be imported, with examples of each kind. */
export async function leftovers(source: MattermostDatabase): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [kind, table, column, condition] of KINDS) {
    const isKnown = condition !== undefined && source.hasColumn(table, condition.split(' ')[0] ?? '');
    const where = isKnown ? `WHERE ${condition}` : '';
    const count = await source.count(table, where);
    if (count === 0) continue;
    const rows = source.hasColumn(table, column)
      ? await source.ask(table, `SELECT DISTINCT \`${column}\` AS example`, `${where} LIMIT 10`)
      : [];
    findings.push({ kind, count, examples: rows.map((row) => String(row['example'] ?? '').slice(0, 100)) });
  }
  return findings;
}
