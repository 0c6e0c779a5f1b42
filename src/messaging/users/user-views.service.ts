import { Injectable } from '@nestjs/common';
import type { Actor } from '../permissions/actor.js';
import { UserDto } from './dto/user.dto.js';
import type { User } from './user.entity.js';
import { UsersPolicy } from './users.policy.js';

/** Accounts as the caller may see them: complete, or without private fields. */
@Injectable()
export class UserViewsService {
  constructor(private readonly policy: UsersPolicy) {}

  async one(actor: Actor, user: User): Promise<UserDto> {
    return UserDto.from(user, (await this.policy.viewOf(actor))(user));
  }

  async list(actor: Actor, users: readonly User[]): Promise<UserDto[]> {
    const viewOf = await this.policy.viewOf(actor);
    return users.map((user) => UserDto.from(user, viewOf(user)));
  }
}
