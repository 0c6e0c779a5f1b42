import type { RolesService } from '../../../messaging/permissions/roles.service.js';
import { STOCK_PERMISSIONS } from '../../../messaging/permissions/stock-permissions.js';
import { BUILT_IN_ROLES, isBuiltIn } from '../../../platform/access/access.js';
import { Findings } from '../findings.js';
import type { TableReport } from '../report.js';
import { Fields } from './fields.js';
import type { MattermostDatabase } from './source.js';
import { Left, type TableImport } from './table-import.js';

/** Permissions that cannot be given to roles here; who has them is fixed. */
const FIXED = ['manage_system', 'manage_roles'];

const knownOf = (fields: Fields): string[] =>
  fields.names('Permissions').filter((name) => STOCK_PERMISSIONS.has(name) && !FIXED.includes(name));

/** Roles that are not built in here, such as those of administrators and permission schemes. */
export const rolesTable: TableImport<'Role'> = {
  from: 'Roles',
  to: 'Role',
  key: ['Id'],
  keyHere: ['id'],
  name: 'Name',
  columns: [
    ...['Id', 'Name', 'DisplayName', 'Description', 'CreateAt', 'UpdateAt', 'DeleteAt', 'Permissions'],
    ...['SchemeManaged'],
  ],
  map(fields, world) {
    const [id, name] = [fields.id('Id'), fields.text('Name', 64)];
    if (id === '' || name === '') return new Left('malformed');
    if (isBuiltIn(name)) return new Left('built in: its permissions are imported');
    if (name.endsWith('_guest')) return new Left('guests are not available');
    if (fields.time('DeleteAt') > 0) return new Left('deleted');
    if (world.names.has(`role ${name}`)) return new Left('another role has the name');
    world.names.set(`role ${name}`, id);
    return {
      id,
      name,
      displayName: fields.text('DisplayName', 128),
      description: fields.bytes('Description', 65_535),
      createAt: fields.time('CreateAt'),
      updateAt: fields.time('UpdateAt'),
      deleteAt: 0,
      permissions: knownOf(fields),
      schemeManaged: fields.flag('SchemeManaged'),
      builtIn: false,
    };
  },
};

/** Gives the built-in roles the permissions that they have there. Those that no stock server knows stay. */
export async function importBuiltInRoles(
  source: MattermostDatabase,
  roles: RolesService,
  notes: Findings,
): Promise<void> {
  const rows = await source.rows('Roles', rolesTable.columns, {
    sql: 'WHERE Name IN (?)',
    parameters: [BUILT_IN_ROLES],
  });
  for (const row of rows) {
    const fields = new Fields(row, notes, `role ${String(row['Name'])}`);
    const role = await roles.getByName(fields.text('Name'));
    const wanted = [...knownOf(fields), ...role.permissions.filter((name) => FIXED.includes(name))];
    if (role.permissions.length !== wanted.length || !wanted.every((name) => role.permissions.includes(name)))
      await roles.replacePermissions(role.id, wanted, () => Promise.resolve());
  }
}

/** The report about roles, with the built-in ones as imported. */
export function withBuiltIn(report: TableReport): TableReport {
  const built = report.reasons.find(({ kind }) => kind.startsWith('built in'))?.count ?? 0;
  return {
    ...report,
    moved: report.moved + built,
    left: report.left - built,
    reasons: report.reasons.filter(({ kind }) => !kind.startsWith('built in')),
  };
}
