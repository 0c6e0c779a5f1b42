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
    who: 'any signed-in user; events of channels and teams go to their members',
  })
  @Operation({
    summary: 'The stream of events, over a WebSocket',
    description:
      'Open a WebSocket here. Sign in with the `Authorization` header or the cookie, or send ' +
      '`{"seq": 1, "action": "authentication_challenge", "data": {"token": "…"}}` within five seconds. The first event ' +
      'is `hello` with `seq` 0 and a `connection_id`; all that follow are numbered without gaps. To go on after a lost ' +
      'connection, add `connection_id` and `sequence_number` (the number expected next) to the address.',
    errors: [400, 403],
  })
  @ApiResponse({ status: 101, description: 'A WebSocket from here on. Its first event:', type: LiveEventDto })
  openWebSocket(): never {
    throw upgradeRequired();
  }
}
