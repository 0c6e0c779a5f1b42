import { Controller, Get } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Operation } from '../../platform/common/dto/operation.js';
import { Public } from '../../platform/access/access.js';
import { LiveEventDto } from './live-event.js';
import { upgradeRequired } from './live.errors.js';

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
