import { idOf, THEN } from '../source-database.mjs';

export type Row = readonly [table: string, values: Readonly<Record<string, unknown>>];

/** A row that is easily read wrongly, and what must be true of it after the import. */
export interface Trap {
  readonly name: string;
  /** The row that is looked for, and rows that it needs. */
  readonly row: Row;
  readonly more?: readonly Row[];
  /**
   * Whether it is here afterwards, or left out with a reason that the report names. `either`: both are right, as long as
   * the report counts it.
   */
  readonly is: 'moved' | 'left' | 'either';
  /** Columns of the row here, or what they must satisfy; of an `either` row, if it is here. */
  readonly as?: Readonly<Record<string, unknown>>;
  /** What the report says about it. */
  readonly told?: RegExp;
  /** The layouts in which it occurs; all by default. */
  readonly where?: (layout: TrapLayout) => boolean;
}

/** What traps depend on. */
export interface TrapLayout {
  readonly name: string;
  readonly version: number;
  readonly charset?: string;
  readonly collation?: string;
  readonly isLowerCase?: boolean;
  readonly hasTextJson?: boolean;
  readonly isRepaired?: boolean;
  readonly without?: readonly string[];
  readonly types?: Readonly<Record<string, string>>;
}

export const isPositive = (value: unknown): boolean => Number(value) > 0;
export const storesTextJson = ({ version, hasTextJson = version < 58 }: TrapLayout): boolean => hasTextJson;
export const isUtf8 = ({ charset = 'utf8mb4' }: TrapLayout): boolean => charset === 'utf8mb4';
/** Before the roles of members were flags. */
export const hasRolesInNames = ({ version }: TrapLayout): boolean => version < 40;
export const hasTable =
  (name: string, since: number) =>
  ({ version, without = [] }: TrapLayout): boolean =>
    version >= since && !without.includes(name);

/** The accounts, team and channels of every database. */
export const owner = idOf('owner');
export const ann = idOf('ann');
export const gone = idOf('gone');
export const nobody = idOf('nobody');
export const team = idOf('team');
export const closedTeam = idOf('closed team');
export const town = idOf('town');
export const secret = idOf('secret');
export const archived = idOf('archived');
export const missing = idOf('missing');
/** bcrypt, cost 4, of `PASSWORD`. */
export const PASSWORD = 'the old password stays';

export const world = (passwordHash: string, layout: TrapLayout): readonly Row[] => {
  const roles = (names: string) => (hasRolesInNames(layout) ? { Roles: names } : { SchemeUser: 1 });
  const user = (id: string, name: string, more: object = {}): Row => [
    'Users',
    {
      ...{ Id: id, Username: name, Email: `${name}@example.test`, Password: passwordHash, Locale: 'en' },
      ...{ Roles: 'system_user', ...more },
    },
  ];
  const channel = (id: string, name: string, more: object = {}): Row => [
    'Channels',
    { Id: id, Name: name, DisplayName: name, TeamId: team, Type: 'O', CreatorId: owner, ...more },
  ];
  const members = [owner, ann, gone].flatMap((UserId): Row[] => [
    ['TeamMembers', { TeamId: team, UserId, ...roles('team_user') }],
    ...[town, secret, archived].map((ChannelId): Row => [
      'ChannelMembers',
      { ChannelId, UserId, ...roles('channel_user') },
    ]),
  ]);
  return [
    user(owner, 'owner', { Roles: 'system_admin system_user' }),
    user(ann, 'ann'),
    user(gone, 'gone', { DeleteAt: THEN + 5 }),
    ['Teams', { Id: team, Name: 'team', DisplayName: 'Team', Type: 'O', InviteId: idOf('invite') }],
    ['Teams', { Id: closedTeam, Name: 'closed', DisplayName: 'Closed', Type: 'O', DeleteAt: THEN + 5 }],
    channel(town, 'town'),
    channel(secret, 'secret', { Type: 'P' }),
    channel(archived, 'archived', { DeleteAt: THEN + 5 }),
    ...members,
    ['Systems', { Name: 'Version', Value: '5.9.0' }],
    ...(hasRolesInNames(layout)
      ? []
      : [['Systems', { Name: 'migration_advanced_permissions_phase_2', Value: 'true' }] as Row]),
    ['db_migrations', { Version: layout.version, Name: 'the_newest' }],
  ];
};
