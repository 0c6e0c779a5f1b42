import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Operation, STATUS_OK, StatusOkDto } from '../../platform/common/dto/operation.js';
import { CheckedByPolicy, Public } from '../../platform/access/access.js';
import { LiveEventDto } from './live-event.js';
import { upgradeRequired } from './live.errors.js';
import { BodyName, IdField } from '../../platform/common/dto/fields.js';
import { type Actor, CurrentActor } from '../permissions/actor.js';
import { CommonPermission } from '../permissions/common.permissions.js';
import { PostPermission } from '../posts/posts.policy.js';
import { UserIdParam } from '../users/user-id-param.js';
import { LiveActions } from './actions/live-actions.js';

/** Documents the event stream in the API description, and answers plain requests to it. */
@ApiTags('system')
@Controller('websocket')
export class LiveController {
  @Get()
  @Public({
    readsSession: false,
    who: 'any signed-in user; events of channels and teams are sent to their members',
  })
  @Operation({
    summary: 'Live events over a WebSocket',
    description:
      'Open a WebSocket here. Authenticate with the `Authorization` header or the cookie, or send ' +
      '`{"seq": 1, "action": "authentication_challenge", "data": {"token": "…"}}` within five seconds. The first event ' +
      'is `hello` with `seq` 0 and a `connection_id`; all others are numbered without gaps. To resume a lost ' +
      'connection, add `connection_id` and `sequence_number` (the next expected number) to the URL.',
    errors: [400, 403],
  })
  @ApiResponse({
    status: 101,
    description: 'The connection becomes a WebSocket. Its first event:',
    type: LiveEventDto,
  })
  openWebSocket(): never {
    throw upgradeRequired();
  }
}

/** The channel, and optionally the thread, in which a user is typing. */
@BodyName('typing_request')
export class TypingDto {
  @IdField({ description: 'The channel in which the user is typing.', example: 'k4tdzcm5wtd5jfzn8u5fxpbkjr' })
  channel_id = '';
  @IdField({ description: 'The root post of the reply; may be empty.', example: '' }) parent_id = '';
}

/** Lets clients without a WebSocket, such as bots, show that they are typing. */
@ApiTags('users')
@Controller('users/:user_id/typing')
export class TypingController {
  constructor(private readonly actions: LiveActions) {}

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
    await this.actions.type(actor, userId, body);
    return STATUS_OK;
  }
}
