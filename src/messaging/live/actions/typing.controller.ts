import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BodyName, IdField } from '../../../platform/common/dto/fields.js';
import { CheckedByPolicy } from '../../../platform/access/access.js';
import { Operation, STATUS_OK, StatusOkDto } from '../../../platform/common/dto/operation.js';
import { type Actor, CurrentActor } from '../../permissions/actor.js';
import { CommonPermission } from '../../permissions/common.permissions.js';
import { PostPermission } from '../../posts/posts.policy.js';
import { UserIdParam } from '../../users/visible-users.js';
import { TypingService } from './typing.service.js';

/** The channel, and optionally the thread, in which a user is typing. */
@BodyName('typing_request')
export class TypingDto {
  @IdField({ description: 'The channel that the user writes in.', example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' })
  channel_id = '';
  @IdField({ description: 'The post that the user replies to; may be empty.', example: '' }) parent_id = '';
}

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
