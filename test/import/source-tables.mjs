/**
 * The tables of the servers that an import reads, as CREATE TABLE statements. A version is the number of the newest
 * numbered migration; servers before those are below 58.
 */

/**
 * A table: name, columns, and after `|` its keys, the primary one first. `id` is varchar(26), `bool` tinyint(1); `!` means
 * NOT NULL, or unique for keys; `=` is a default; `@97` since that version, `<66` before it.
 */
const TABLES = `
  Users
    Id:id! CreateAt:bigint UpdateAt:bigint DeleteAt:bigint Username:varchar(64) Password:varchar(128)
    AuthData:varchar(128) AuthService:varchar(32) Email:varchar(128) EmailVerified:bool
    Nickname:varchar(64) FirstName:varchar(64) LastName:varchar(64) Roles:text AllowMarketing:bool
    Props:json NotifyProps:json LastPasswordUpdate:bigint LastPictureUpdate:bigint FailedAttempts:int
    Locale:varchar(5) MfaActive:bool MfaSecret:varchar(128) Position:varchar(128) Timezone:json
    RemoteId:id@50 LastLogin:bigint!=0@115 MfaUsedTimestamps:json@127
    | Id !AuthData !Email CreateAt DeleteAt UpdateAt !Username
  Teams
    Id:id! CreateAt:bigint UpdateAt:bigint DeleteAt:bigint DisplayName:varchar(64) Name:varchar(64)
    Description:varchar(255) Email:varchar(128) Type:enum('I','O') CompanyName:varchar(64)
    AllowedDomains:text InviteId:varchar(32) SchemeId:id AllowOpenInvite:bool LastTeamIconUpdate:bigint
    GroupConstrained:bool@31 CloudLimitsArchived:bool!=0@86
    | Id CreateAt DeleteAt InviteId SchemeId UpdateAt !Name
  TeamMembers
    TeamId:id! UserId:id! Roles:text DeleteAt:bigint SchemeUser:tinyint SchemeAdmin:tinyint
    SchemeGuest:tinyint@31 CreateAt:bigint=0@92
    | TeamId,UserId CreateAt DeleteAt UserId
  Channels
    Id:id! CreateAt:bigint UpdateAt:bigint DeleteAt:bigint TeamId:id Type:enum('D','O','G','P')
    DisplayName:varchar(64) Name:varchar(64) Header:text Purpose:varchar(250) LastPostAt:bigint
    TotalMsgCount:bigint ExtraUpdateAt:bigint CreatorId:id SchemeId:id GroupConstrained:bool@31
    Shared:bool@40 TotalMsgCountRoot:bigint@50 LastRootPostAt:bigint=0@70 BannerInfo:json@133
    DefaultCategoryName:varchar(64)!=''@138
    | Id CreateAt DeleteAt SchemeId TeamId,DisplayName TeamId,Type UpdateAt !Name,TeamId
  ChannelMembers
    ChannelId:id! UserId:id! Roles:text LastViewedAt:bigint MsgCount:bigint MentionCount:bigint
    NotifyProps:json LastUpdateAt:bigint SchemeUser:tinyint SchemeAdmin:tinyint SchemeGuest:tinyint@31
    MentionCountRoot:bigint@50 MsgCountRoot:bigint@50 UrgentMentionCount:bigint@97
    | ChannelId,UserId ChannelId,SchemeGuest,UserId UserId,ChannelId,LastViewedAt
  Posts
    Id:id! CreateAt:bigint UpdateAt:bigint DeleteAt:bigint UserId:id ChannelId:id RootId:id OriginalId:id
    Message:text Type:id Props:json Hashtags:text Filenames:text FileIds:text HasReactions:bool
    EditAt:bigint IsPinned:bool RemoteId:id@50 ParentId:id<66
    | Id ChannelId,DeleteAt,CreateAt ChannelId,UpdateAt CreateAt CreateAt,Id DeleteAt IsPinned OriginalId
    RootId,DeleteAt UpdateAt UserId
  PostsPriority@97
    PostId:id! ChannelId:id! Priority:varchar(32)! RequestedAck:bool PersistentNotifications:bool
    | PostId
  IncomingWebhooks
    Id:id! CreateAt:bigint UpdateAt:bigint DeleteAt:bigint UserId:id ChannelId:id TeamId:id
    DisplayName:varchar(64) Description:text Username:varchar(255)@40 IconURL:text@40 ChannelLocked:bool
    | Id CreateAt DeleteAt TeamId UpdateAt UserId
  OutgoingWebhooks
    Id:id! Token:id CreateAt:bigint UpdateAt:bigint DeleteAt:bigint CreatorId:id ChannelId:id TeamId:id
    TriggerWords:text CallbackURLs:text DisplayName:varchar(64) ContentType:varchar(128) TriggerWhen:int
    Username:varchar(64) IconURL:text Description:text
    | Id CreateAt DeleteAt TeamId UpdateAt
  UserAccessTokens
    Id:id! Token:id UserId:id Description:text IsActive:bool
    | Id UserId !Token
  Sessions
    Id:id! Token:id CreateAt:bigint ExpiresAt:bigint LastActivityAt:bigint UserId:id DeviceId:text
    Roles:text IsOAuth:bool Props:json ExpiredNotify:bool
    | Id CreateAt ExpiresAt LastActivityAt Token UserId
  Bots@31
    UserId:id! Description:text OwnerId:varchar(190) CreateAt:bigint UpdateAt:bigint DeleteAt:bigint
    LastIconUpdate:bigint
    | UserId
  RemoteClusters@45
    RemoteId:id! RemoteTeamId:id Name:varchar(64)! DisplayName:varchar(64) SiteURL:text CreateAt:bigint
    LastPingAt:bigint Token:id RemoteToken:id Topics:text CreatorId:id PluginID:varchar(190)!=''@117
    Options:smallint!=0@117 DefaultTeamId:id=''@125 DeleteAt:bigint=0@126
    LastGlobalUserSyncAt:bigint=0@139
    | RemoteId,Name
  SharedChannels@45
    ChannelId:id! TeamId:id Home:bool ReadOnly:bool ShareName:varchar(64) ShareDisplayName:varchar(64)
    SharePurpose:varchar(250) ShareHeader:text CreatorId:id CreateAt:bigint UpdateAt:bigint RemoteId:id
    | ChannelId !ShareName,TeamId
  SharedChannelRemotes@45
    Id:id! ChannelId:id! CreatorId:id CreateAt:bigint UpdateAt:bigint IsInviteAccepted:bool
    IsInviteConfirmed:bool RemoteId:id LastPostUpdateAt:bigint@51 LastPostId:id@51
    LastPostCreateAt:bigint!=0@119 LastPostCreateID:id@119 DeleteAt:bigint=0@126
    LastMembersSyncAt:bigint=0@140
    | Id,ChannelId !ChannelId,RemoteId
  SharedChannelUsers@45
    Id:id! UserId:id RemoteId:id CreateAt:bigint LastSyncAt:bigint ChannelId:id@51
    LastMembershipSyncAt:bigint=0@140
    | Id RemoteId !UserId,ChannelId,RemoteId
  Preferences
    UserId:id! Category:varchar(32)! Name:varchar(32)! Value:text
    | UserId,Category,Name Category Name
  Roles
    Id:id! Name:varchar(64) DisplayName:varchar(128) Description:text CreateAt:bigint UpdateAt:bigint
    DeleteAt:bigint Permissions:longtext SchemeManaged:bool BuiltIn:bool
    | Id !Name
  Schemes
    Id:id! Name:varchar(64) DisplayName:varchar(128) Description:text CreateAt:bigint UpdateAt:bigint
    DeleteAt:bigint Scope:varchar(32) DefaultTeamAdminRole:varchar(64) DefaultTeamUserRole:varchar(64)
    DefaultChannelAdminRole:varchar(64) DefaultChannelUserRole:varchar(64)
    DefaultTeamGuestRole:varchar(64)@31 DefaultChannelGuestRole:varchar(64)@31
    DefaultPlaybookAdminRole:varchar(64)=''@72 DefaultPlaybookMemberRole:varchar(64)=''@72
    DefaultRunAdminRole:varchar(64)=''@72 DefaultRunMemberRole:varchar(64)=''@72
    | Id DefaultChannelAdminRole DefaultChannelGuestRole DefaultChannelUserRole !Name
  Systems
    Name:varchar(64)! Value:text
    | Name
  Commands
    Id:id! Token:id CreateAt:bigint UpdateAt:bigint DeleteAt:bigint CreatorId:id TeamId:id
    Trigger:varchar(128) Method:varchar(1) Username:varchar(64) IconURL:text AutoComplete:bool
    AutoCompleteDesc:text AutoCompleteHint:text DisplayName:varchar(64) Description:varchar(128) URL:text
    PluginId:varchar(190)@55
    | Id CreateAt DeleteAt TeamId UpdateAt
  Reactions
    UserId:id! PostId:id! EmojiName:varchar(64)! CreateAt:bigint UpdateAt:bigint@50 DeleteAt:bigint@50
    RemoteId:id@50 ChannelId:id!=''@93
    | PostId,UserId,EmojiName ChannelId
  FileInfo
    Id:id! CreatorId:id PostId:id CreateAt:bigint UpdateAt:bigint DeleteAt:bigint Path:text
    ThumbnailPath:text PreviewPath:text Name:text Extension:varchar(64) Size:bigint MimeType:text
    Width:int Height:int HasPreviewImage:bool MiniPreview:mediumblob@45 Content:longtext@50 RemoteId:id@50
    Archived:bool!=0@100 ChannelId:id@105
    | Id ChannelId,CreateAt CreateAt DeleteAt Extension PostId UpdateAt
  Emoji
    Id:id! CreateAt:bigint UpdateAt:bigint DeleteAt:bigint CreatorId:id Name:varchar(64)
    | Id CreateAt DeleteAt UpdateAt !Name,DeleteAt
  OutgoingOAuthConnections@113
    Id:id! Name:varchar(64) CreatorId:id CreateAt:bigint UpdateAt:bigint ClientId:varchar(255)
    ClientSecret:varchar(255) CredentialsUsername:varchar(255) CredentialsPassword:varchar(255)
    OAuthTokenURL:text GrantType:varchar(32)='client_credentials' Audiences:text
    | Id Name
  ChannelBookmarks@118
    Id:id! OwnerId:id! ChannelId:id! FileInfoId:id CreateAt:bigint=0 UpdateAt:bigint=0 DeleteAt:bigint=0
    DisplayName:text SortOrder:bigint=0 LinkUrl:text ImageUrl:text Emoji:varchar(64)
    Type:enum('link','file') OriginalId:id ParentId:id
    | Id ChannelId DeleteAt UpdateAt
  UserGroups@31
    Id:id! Name:varchar(64) DisplayName:varchar(128) Source:varchar(64) CreateAt:bigint DeleteAt:bigint
    | Id
  PluginKeyValueStore
    PluginId:varchar(190)! PKey:varchar(50)! PValue:mediumblob ExpireAt:bigint
    | PluginId,PKey
  IR_Playbook@72
    ID:id! Title:varchar(1024)! CreateAt:bigint!=0 DeleteAt:bigint!=0
    | ID
  db_migrations@58
    Version:bigint! Name:varchar(64)!
    | Version
`;

const SHORT_TYPES = { id: 'varchar(26)', bool: 'tinyint(1)' };

/** What administrators and old releases have left behind. */
const STRAYS = [
  'ALTER TABLE SharedChannelRemotes ADD Description varchar(64), ADD NextSyncAt bigint',
  'CREATE TABLE Threads (PostId varchar(26) PRIMARY KEY, TeamId varchar(26))',
  'CREATE TABLE schema_migrations (Version bigint PRIMARY KEY, Dirty tinyint(1) NOT NULL)',
  'CREATE TABLE Users_backup (Id varchar(26), Username varchar(64))',
];

/**
 * @typedef {object} Layout
 * @property {number} version
 * @property {string} [charset] of all tables; utf8mb4 by default
 * @property {string} [collation]
 * @property {boolean} [isLowerCase] table names in lower case
 * @property {boolean} [hasTextJson] JSON in text columns, as before version 58
 * @property {boolean} [isRepaired] without unique keys except the primary ones, and with stray columns and tables
 * @property {string} [keyless] a table that gets its keys later, by `addKeysStatement`
 * @property {readonly string[]} [without] missing tables and columns: `Bots`, `Posts.RemoteId`
 * @property {Readonly<Record<string, string>>} [types] other types, by `Posts.Message`
 *
 * @typedef {{ readonly name: string, readonly type: string, readonly isNullable: boolean, readonly rest: string }} SourceColumn
 * @typedef {{ readonly name: string, readonly columns: readonly SourceColumn[], readonly keys: readonly string[] }} SourceTable
 */

/**
 * The tables of a layout, by their usual names.
 *
 * @param {Layout} layout
 * @returns {Map<string, SourceTable>}
 */
export function sourceTables(layout) {
  const tables = new Map();
  for (const [, head, body] of TABLES.matchAll(/^ {2}(\S+)\n((?: {4}.*\n)+)/gm)) {
    const [name, since = '0'] = head.split('@');
    if (layout.version < Number(since) || layout.without?.includes(name)) continue;
    const [columns, keys] = body.split('|').map((part) => part.trim().split(/\s+/));
    const read = columns
      .map((column) => readColumn(name, column, layout))
      .filter((column) => column !== undefined);
    tables.set(name, { name, columns: read, keys });
  }
  return tables;
}

function readColumn(table, text, { version, hasTextJson = version < 58, without = [], types = {} }) {
  const [, name, type, required, value, since = 0, until = Infinity] =
    /^(\w+):([^!=@<]+)(!?)(?:=([^@<]+))?(?:@(\d+))?(?:<(\d+))?$/.exec(text) ?? [];
  const path = `${table}.${name}`;
  if (version < Number(since) || version >= Number(until) || without.includes(path)) return undefined;
  const changed = types[path] ?? formerType(table, name, type, version, hasTextJson);
  const rest = `${required ? ' NOT NULL' : ' NULL'}${value === undefined ? '' : ` DEFAULT ${value}`}`;
  return { name, type: SHORT_TYPES[changed] ?? changed, isNullable: !required, rest };
}

function formerType(table, name, type, version, hasTextJson) {
  if (type === 'json' && hasTextJson) return 'text';
  if (type.startsWith('enum') && version < 90) return 'varchar(255)';
  if (name === 'Roles' && table.endsWith('Members') && version < 67) return 'varchar(64)';
  return type;
}

/** @param {Layout} layout @returns {string[]} */
export function createStatements(layout) {
  const { charset = 'utf8mb4', collation, isRepaired = false } = layout;
  const options = `CHARSET=${charset}${collation ? ` COLLATE=${collation}` : ''}`;
  const statements = [...sourceTables(layout).values()].map((table) => {
    const columns = table.columns.map(({ name, type, rest }) => `\`${name}\` ${type}${rest}`);
    const keys = table.name === layout.keyless ? [] : keysOf(table, isRepaired);
    return `CREATE TABLE ${tableName(layout, table.name)} (${[...columns, ...keys].join(', ')}) ${options}`;
  });
  return isRepaired ? [...statements, ...STRAYS] : statements;
}

/** Adds the keys of the table without any. @param {Layout} layout */
export function addKeysStatement(layout) {
  const table = sourceTables(layout).get(layout.keyless);
  const keys = keysOf(table, false).map((key) => `ADD ${key}`);
  return `ALTER TABLE ${tableName(layout, table.name)} ${keys.join(', ')}`;
}

function keysOf(table, isRepaired) {
  const hasAll = (key) =>
    key.split(',').every((name) => table.columns.some((column) => column.name === name));
  const [primary, ...others] = table.keys;
  const further = others
    .filter((key) => hasAll(key.replace('!', '')) && !(isRepaired && key.startsWith('!')))
    .map((key) => {
      const parts = key
        .replace('!', '')
        .split(',')
        .map((name) => keyPart(table, name));
      return `${key.startsWith('!') ? 'UNIQUE ' : ''}KEY (${parts.join(', ')})`;
    });
  return [`PRIMARY KEY (${primary})`, ...further];
}

/** Text columns are full-text keys there, or indexed by prefix. */
function keyPart(table, name) {
  const column = table.columns.find((other) => other.name === name);
  return /text|blob/.test(column.type) ? `\`${name}\`(100)` : `\`${name}\``;
}

/** The name of a table as it is stored. @param {Layout} layout @param {string} name */
export const tableName = ({ isLowerCase = false }, name) => (isLowerCase ? name.toLowerCase() : name);
