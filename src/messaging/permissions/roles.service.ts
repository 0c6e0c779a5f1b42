import { Injectable } from '@nestjs/common';
import { BUILT_IN_ROLES, type Permission } from '../../platform/access/access.js';
import { Clock } from '../../platform/common/clock.js';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { EventBus } from '../../platform/events/event-bus.js';
import { newId } from '../../platform/common/ids.js';
import { DatabaseCache } from '../../platform/database/database-cache.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Declared } from '../../platform/modules/collect.js';
import { RoleUpdated } from './permissions.events.js';
import { CommonPermission } from './common.permissions.js';
import { Role } from './role.entity.js';
import { RolesRepository } from './roles.repository.js';
import * as errors from './roles.errors.js';
import { grantedBy, keptStockPermissions, STOCK_PERMISSIONS } from './stock-permissions.js';

const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 64;
/** The maximum number of permissions in a role, twice as many as Mattermost defines. */
export const MAX_PERMISSIONS = 600;
const MAX_SHOWN_LENGTH = 64;
const ALL = 'all';
const NOT_GRANTABLE: readonly string[] = [CommonPermission.ManageSystem, CommonPermission.ManageRoles];

/** The permissions of each role, by role name. */
type Grants = ReadonlyMap<string, ReadonlySet<string>>;

/** Roles and their permissions, kept in memory: they are few, and every permission check reads them. */
@Injectable()
export class RolesService {
  /** One value: all roles. */
  private readonly cache: DatabaseCache<Grants>;
  private readonly powers: readonly Permission[];
  private readonly own: ReadonlySet<string>;

  constructor(
    private readonly repository: RolesRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly declared: Declared,
  ) {
    this.powers = declared.permissions
      .filter(({ roles }) => !roles.some((role) => role.startsWith('system_')))
      .map(({ permission }) => permission);
    this.own = new Set(declared.permissions.map(({ permission }) => permission));
    this.cache = new DatabaseCache(unitOfWork, {
      name: 'roles',
      maxBytes: 1,
      sizeOf: () => 1,
      keys: { has: () => true, otherwise: new Map() },
    });
  }

  /** The names of all roles that are not deleted. */
  async names(): Promise<readonly string[]> {
    return [...(await this.grants()).keys()];
  }

  /** Whether any of the named roles grants the permission. Deleted and unknown roles grant nothing. */
  async anyGrants(names: readonly string[], permission: Permission): Promise<boolean> {
    if (names.length === 0) return false;
    const grants = await this.grants();
    return names.some((name) => grants.get(name)?.has(permission));
  }

  /**
   * Whether the roles grant power that `than` lacks: a permission that by default only `system_admin`
   * has among the system roles.
   */
  async grantMorePower(names: readonly string[], than: readonly string[]): Promise<boolean> {
    const grants = await this.grants();
    return this.powers.some(
      (permission) =>
        names.some((name) => grants.get(name)?.has(permission)) &&
        !than.some((name) => grants.get(name)?.has(permission)),
    );
  }

  /**
   * Creates missing built-in roles, and grants permissions that are new to this server. `system_admin` always
   * gets all permissions; other roles do not regain permissions that an administrator removed.
   */
  async ensureDefaults(): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.lockAdministration(); // other processes may be changing roles
      const stored = new Map((await this.repository.list()).map((role) => [role.name, role]));
      const granted = new Set(await this.repository.listGranted());
      const ungranted = this.declared.permissions.filter(({ permission }) => !granted.has(permission));
      for (const name of BUILT_IN_ROLES) {
        const role = stored.get(name);
        const grants = role && name !== 'system_admin' ? ungranted : this.declared.permissions;
        const due = grants
          .filter(({ roles }) => name === 'system_admin' || roles.includes(name))
          .map(({ permission }) => permission);
        if (!role) await this.repository.insert([this.newBuiltIn(name, due)]);
        else await this.addTo(role, due);
      }
      await this.repository.insertGranted(ungranted.map(({ permission }) => permission));
      this.cache.clear();
    });
  }

  list(): Promise<Role[]> {
    return this.repository.list();
  }

  async get(id: string): Promise<Role> {
    const role = await this.repository.findById(id);
    if (!role) throw errors.roleNotFound();
    return role;
  }

  async getByName(name: string): Promise<Role> {
    const role = name.length <= MAX_NAME_LENGTH ? await this.repository.findByName(name) : null;
    if (!role) throw errors.roleNameNotFound();
    return role;
  }

  /** Skips unknown names. Throws `tooManyRoleNames`. */
  listByNames(names: readonly string[]): Promise<Role[]> {
    if (names.length > MAX_NAMES) throw errors.tooManyRoleNames(MAX_NAMES);
    return this.repository.listByNames(names);
  }

  /** Throws `unknownRole` unless every name is a role that is not deleted. */
  async requireAll(names: readonly string[]): Promise<void> {
    const known = (await this.repository.listByNames(names)).filter((role) => role.deleteAt === 0);
    const unknown = names.find((name) => !known.some((role) => role.name === name));
    if (unknown !== undefined) throw errors.unknownRole(unknown);
  }

  /**
   * Serializes changes of administrators until the open unit of work ends. Must be its first statement: on
   * MySQL, an earlier read would fix the snapshot that later reads see.
   */
  async lockAdministration(): Promise<void> {
    await this.repository.lock('system_admin');
  }

  /**
   * Replaces a role's permissions, including for open sessions. Some omitted permissions may stay
   * (`keptStockPermissions`), and `system_admin` keeps everything. `requireAllowed` throws if the caller may not add or remove
   * a changed permission. Throws InvalidBodyParam, `permissionNotGrantable`.
   */
  async replacePermissions(
    id: string,
    permissions: readonly string[],
    requireAllowed: (changed: readonly Permission[]) => Promise<void>,
  ): Promise<Role> {
    const listed = new Set(permissions);
    if (listed.size > MAX_PERMISSIONS)
      throw new InvalidBodyParam('permissions', `it must have at most ${MAX_PERMISSIONS} items`);
    return this.unitOfWork.run(async () => {
      await this.lockAdministration();
      const role = await this.get(id);
      const stored = new Set(role.permissions);
      this.requireKnown([...listed].filter((name) => !stored.has(name)));
      const differing = (wanted: ReadonlySet<string>): string[] =>
        [...new Set([...stored, ...wanted])].filter((name) => stored.has(name) !== wanted.has(name));
      const touched = differing(listed).find((name) => NOT_GRANTABLE.includes(name));
      if (touched !== undefined) throw errors.permissionNotGrantable(touched);
      const kept =
        role.name === 'system_admin'
          ? [...stored, ...this.own]
          : keptStockPermissions(listed, role.permissions, this.own);
      const wanted = new Set([...listed, ...kept]);
      await requireAllowed([...grantedBy(differing(wanted))] as Permission[]);
      const change = { permissions: [...wanted], updateAt: this.clock.now() };
      await this.repository.updatePermissions(id, change.permissions, change.updateAt);
      this.cache.clear();
      await this.events.publish(new RoleUpdated(id));
      return { ...role, ...change };
    });
  }

  private requireKnown(names: readonly string[]): void {
    const unknown = names.find((name) => !this.own.has(name) && !STOCK_PERMISSIONS.has(name));
    if (unknown !== undefined)
      throw new InvalidBodyParam(
        'permissions',
        `"${unknown.slice(0, MAX_SHOWN_LENGTH)}" is not a known permission`,
      );
  }

  /** Uses cached grants even inside a unit of work, which a cache alone does not. */
  private async grants(): Promise<Grants> {
    return this.cache.peek(ALL) ?? (await this.cache.get(ALL, () => this.read()));
  }

  private async read(): Promise<Grants> {
    const roles = (await this.repository.list()).filter((role) => role.deleteAt === 0);
    const listed = ({ name, permissions }: Role): readonly string[] =>
      name === 'system_admin' ? [...permissions, ...this.own] : permissions;
    return new Map(roles.map((role) => [role.name, grantedBy(listed(role))]));
  }

  private async addTo(role: Role, permissions: readonly Permission[]): Promise<void> {
    const missing = permissions.filter((permission) => !role.permissions.includes(permission));
    if (missing.length === 0) return;
    await this.repository.updatePermissions(role.id, [...role.permissions, ...missing], this.clock.now());
  }

  private newBuiltIn(name: string, permissions: readonly Permission[]): Role {
    const now = this.clock.now();
    return {
      id: newId(),
      name,
      displayName: name.replaceAll('_', ' '),
      description: '',
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      permissions: [...permissions],
      schemeManaged: true,
      builtIn: true,
    };
  }
}
