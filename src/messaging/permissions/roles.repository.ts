import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { GrantedPermission, Role } from './role.entity.js';

/** Queries on roles, including deleted ones. */
@Injectable()
export class RolesRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  list(): Promise<Role[]> {
    return this.roles.find({ order: { name: 'ASC' } });
  }

  findById(id: string): Promise<Role | null> {
    return this.roles.findOneBy({ id });
  }

  findByName(name: string): Promise<Role | null> {
    return this.roles.findOneBy({ name });
  }

  listByNames(names: readonly string[]): Promise<Role[]> {
    return this.roles.find({ where: { name: In([...names]) }, order: { name: 'ASC' } });
  }

  async insert(roles: readonly Role[]): Promise<void> {
    await this.roles.insert([...roles]);
  }

  async updatePermissions(id: string, permissions: string[], updateAt: number): Promise<void> {
    await this.roles.update({ id }, { permissions, updateAt });
  }

  /** Locks the row until the open transaction ends. */
  async lock(name: string): Promise<void> {
    await this.unitOfWork.manager.query('UPDATE roles SET update_at = update_at WHERE name = ?', [name]);
  }

  /** The permissions once granted to the built-in roles, whether or not they still have them. */
  async listGranted(): Promise<string[]> {
    return (await this.granted.find()).map(({ permission }) => permission);
  }

  async insertGranted(permissions: readonly string[]): Promise<void> {
    if (permissions.length > 0) await this.granted.insert(permissions.map((permission) => ({ permission })));
  }

  private get granted() {
    return this.unitOfWork.manager.getRepository(GrantedPermission);
  }

  private get roles() {
    return this.unitOfWork.manager.getRepository(Role);
  }
}
