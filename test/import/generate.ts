/** Databases as servers of several versions have them, full of rows that are easily read wrongly. */
import { hash } from '@node-rs/bcrypt';
import { SourceDatabase } from './source-database.mjs';
import { accountTraps } from './traps/accounts.js';
import { hookTraps, unmovedRows } from './traps/hooks.js';
import { messageTraps } from './traps/messages.js';
import { PASSWORD, type Row, type Trap, type TrapLayout, world } from './traps/trap.js';

export const LAYOUTS: readonly TrapLayout[] = [
  { name: '5.9, in latin1', version: 30, charset: 'latin1' },
  { name: '5.37, in UTF-8 of three bytes', version: 56, charset: 'utf8mb3' },
  { name: '7.8', version: 100 },
  { name: '10.10', version: 140 },
  { name: '10.10, with table names in lower case', version: 140, isLowerCase: true },
  {
    ...{ name: '10.10, repaired by hand', version: 140, isRepaired: true, hasTextJson: true },
    ...{ collation: 'utf8mb4_bin', types: { 'Posts.Message': 'blob' } },
    without: [
      'PostsPriority',
      'SharedChannelUsers',
      'Posts.RemoteId',
      'Users.LastLogin',
      'Users.Timezone',
      'Bots.LastIconUpdate',
    ],
  },
];

export const trapsOf = (layout: TrapLayout): readonly Trap[] =>
  [...accountTraps, ...messageTraps, ...hookTraps].filter(({ where }) => where?.(layout) ?? true);

/** A database of this layout with all its traps. */
export async function generate(layout: TrapLayout): Promise<SourceDatabase> {
  const { charset } = layout;
  const database = await SourceDatabase.open(charset ? { charset } : {});
  const rows = trapsOf(layout).flatMap(({ row, more = [] }): readonly Row[] => [row, ...more]);
  await database.build(layout, [
    ...world(await hash(PASSWORD, 4), layout),
    ...rows,
    ...unmovedRows.map(([, row]) => row),
  ]);
  return database;
}
