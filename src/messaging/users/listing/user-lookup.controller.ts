import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operation } from '../../../platform/common/dto/operation.js';
import { TextParam } from '../../../platform/common/dto/params.js';
import { SignedIn } from '../../../platform/access/access.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { UserDto } from '../dto/user.dto.js';
import { UsersPolicy } from '../users.policy.js';
import { UsersListingService } from './users-listing.service.js';

/** Finds an account by name or address. Its routes precede `users/:user_id/…`, which would match `users/username/tokens`. */
@ApiTags('users')
@Controller('users')
export class UserLookupController {
  constructor(
    private readonly listing: UsersListingService,
    private readonly policy: UsersPolicy,
  ) {}

  @Get('username/:username')
  @SignedIn()
  @Operation({ summary: 'Get a user by username', ok: UserDto, errors: [400, 404] })
  async getUserByUsername(
    @CurrentActor() actor: Actor,
    @TextParam('username', { description: 'The username.', example: 'anna' }) username: string,
  ): Promise<UserDto> {
    return this.policy.shown(actor, await this.listing.getByUsername(username));
  }

  @Get('email/:email')
  @SignedIn()
  @Operation({ summary: 'Get a user by e-mail address', ok: UserDto, errors: [400, 404] })
  async getUserByEmail(
    @CurrentActor() actor: Actor,
    @TextParam('email', { description: 'The e-mail address.', example: 'anna@example.com' }) email: string,
  ): Promise<UserDto> {
    return this.policy.shown(actor, await this.listing.getByEmail(email));
  }
}
