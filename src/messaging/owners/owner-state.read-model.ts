import type { OwnerStateFilter } from './owner-states.js';

/** The columns of a row that has an owner, with the alias of its table. */
interface OwnedColumns {
  readonly ownerId: string;
  readonly teamId: string;
}

/** The SQL condition that selects rows by the state of their owner. */
export function ownerStateCondition(state: OwnerStateFilter, { ownerId, teamId }: OwnedColumns): string {
  const account = (condition: string): string =>
    `EXISTS (SELECT 1 FROM users owner WHERE owner.id = ${ownerId}${condition})`;
  const activeAccount = account(' AND owner.delete_at = 0');
  const formerMember = `EXISTS (SELECT 1 FROM team_members former WHERE former.team_id = ${teamId} AND former.user_id = ${ownerId} AND former.delete_at > 0)`;
  const conditions = {
    active: `${activeAccount} AND NOT ${formerMember}`,
    deactivated: account(' AND owner.delete_at > 0'),
    left_team: `${activeAccount} AND ${formerMember}`,
    deleted: `NOT ${account('')}`,
    orphaned: `(NOT ${activeAccount} OR ${formerMember})`,
  };
  return conditions[state];
}
