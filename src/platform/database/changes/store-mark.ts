import type { DataSource } from 'typeorm';
import type { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import type { Sequence } from '../../common/sequence.js';
import { insertStatements } from '../rows.js';
import { execute } from '../statement.js';
import { ChangeRow } from './change.entity.js';

/** Stores a change that nobody hears of, and deletes it. It is a row, because a statement that changes none waits for no disk. */
export async function storeMark(dataSource: DataSource, clock: Clock, sequence: Sequence): Promise<void> {
  const seq = sequence.next(clock.now());
  const mark = { seq, origin: newId(), topic: 'mark', body: {} };
  for (const statement of insertStatements(dataSource, ChangeRow, [mark]))
    await execute(dataSource.manager, statement);
  await dataSource.getRepository(ChangeRow).delete({ seq });
}
