/** Databases of any size, for measurements and for imports that are interrupted. */
import { idOf, SourceDatabase, THEN } from './source-database.mjs';
import { addKeysStatement } from './source-tables.mjs';

/** Rows made by one INSERT … SELECT: fewer commits, and short enough for a small redo log. */
const BATCH = 100_000;
/** Square root of BATCH, rounded up. */
const DIGITS = 320;
/** Keys are built faster when all rows are there. */
const LAYOUT = { version: 140, keyless: 'Posts' };

/**
 * A database of version 10.10 with this many posts: every tenth one replies to the post before, every hundredth is
 * deleted.
 *
 * @param {{ posts: number, users?: number, channels?: number, messageLength?: number, isSmall?: boolean }} sizes `isSmall`: on a server with little memory
 */
export async function openManyPosts({
  posts,
  users = 100,
  channels = 50,
  messageLength = 120,
  isSmall = true,
}) {
  const database = await SourceDatabase.open({ isSmall });
  const user = (index) => idOf(`user ${index}`);
  const channel = (index) => idOf(`channel ${index}`);
  const team = idOf('team');
  const of = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  await database.build(LAYOUT, [
    ['Systems', { Name: 'migration_advanced_permissions_phase_2', Value: 'true' }],
    ['Teams', { Id: team, Name: 'team', DisplayName: 'Team', Type: 'O', InviteId: idOf('invite') }],
    ...of(users, (index) => [
      'Users',
      {
        Id: user(index),
        Username: `user.${index}`,
        Email: `user.${index}@example.test`,
        Roles: 'system_user',
        Locale: 'en',
      },
    ]),
    ...of(users, (index) => ['TeamMembers', { TeamId: team, UserId: user(index), SchemeUser: 1 }]),
    ...of(channels, (index) => [
      'Channels',
      {
        Id: channel(index),
        Name: `channel-${index}`,
        DisplayName: `Channel ${index}`,
        TeamId: team,
        Type: 'O',
        CreatorId: user(0),
      },
    ]),
    ...of(channels, (index) => [
      'ChannelMembers',
      { ChannelId: channel(index), UserId: user(index % users), SchemeUser: 1 },
    ]),
  ]);
  const { connection } = database;
  for (const name of ['SomeUsers', 'SomeChannels'])
    await connection.query(`CREATE TEMPORARY TABLE ${name} (At int PRIMARY KEY, Id varchar(26))`);
  await connection.query('CREATE TABLE Digits (n int PRIMARY KEY)');
  await connection.query('INSERT INTO Digits VALUES ?', [of(DIGITS, (index) => [index])]);
  await connection.query('INSERT INTO SomeUsers VALUES ?', [of(users, (index) => [index, user(index)])]);
  await connection.query('INSERT INTO SomeChannels VALUES ?', [
    of(channels, (index) => [index, channel(index)]),
  ]);
  for (let from = 0; from < posts; from += BATCH)
    await connection.query(
      insertPosts(from, Math.min(BATCH, posts - from), { users, channels, messageLength }),
    );
  await connection.query('DROP TABLE Digits');
  await connection.query(addKeysStatement(LAYOUT));
  return database;
}

/** Posts with the numbers `from` to `from + count`, made by the database itself. */
function insertPosts(from, count, { users, channels, messageLength }) {
  const number = `(${from} + seq.n)`;
  const thread = `(${number} - ${number} % 10)`;
  const id = (n) =>
    `CONCAT('p', SUBSTRING(REPLACE(REPLACE(REPLACE(SHA1(CONCAT('post ', ${n})), '0', 'y'), '2', 'z'), 'l', 'w'), 1, 25))`;
  return `INSERT INTO Posts (Id, CreateAt, UpdateAt, DeleteAt, UserId, ChannelId, RootId, OriginalId, Message, Type, Props,
      Hashtags, Filenames, FileIds, HasReactions, EditAt, IsPinned)
    SELECT ${id(number)}, ${THEN} + ${number} * 1000, ${THEN} + ${number} * 1000,
      IF(${number} % 100 = 57, ${THEN} + ${number} * 1000 + 1, 0), u.Id, c.Id,
      IF(${number} % 10 = 1, ${id(thread)}, ''), '',
      RPAD(CONCAT('Build ', ${number}, ' of main has failed: '), ${messageLength}, 'lorem ipsum dolor '), '',
      '{"from_webhook":"true","override_username":"Jenkins"}', '', '[]', '[]', 0, 0, 0
    FROM (SELECT a.n * ${DIGITS} + b.n AS n FROM Digits a JOIN Digits b) seq JOIN SomeUsers u ON u.At = ${number} % ${users} JOIN SomeChannels c ON c.At = FLOOR(${number} / 10) % ${channels}
    WHERE seq.n < ${count}`;
}
