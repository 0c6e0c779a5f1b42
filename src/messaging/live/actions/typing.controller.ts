import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CheckedByPolicy } from '../../../platform/access/access.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../../platform/common/dto/operation.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { CommonPermission } from '../../permissions/common.permissions.js';
import { PostPermission } from '../../posts/posts.permissions.js';
import { UserIdParam } from '../../users/user-id-param.js';
import { TypingDto } from '../dto/typing.dto.js';
import { TypingService } from './typing.service.js';

/** Lets clients without a WebSocket, such as bots, show that they are typing. */
@ApiTags('users')
@Controller('users/:user_id/typing')
export class TypingController {
  constructor(private readonly typing: TypingService) {}

  @Post()
  @HttpCode(200)
  @CheckedByPolicy(
    [PostPermission.CreatePost, CommonPermission.ManageSystem],
    '`create_post` in the channel; for others also `manage_system`',
  )
  @Operation({
    summary: 'Show that a user is typing',
    description: 'Sends the event `typing` to the other members of the channel, at most once a second.',
    ok: StatusOkDto,
  })
  async publishUserTyping(
    @CurrentActor() actor: Actor,
    @UserIdParam() userId: string,
    @Body() body: TypingDto,
  ): Promise<StatusOkDto> {
    await this.typing.type(actor, userId, body);
    return STATUS_OK;
  }
}
