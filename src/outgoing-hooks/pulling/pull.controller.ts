import { Body, Controller, createParamDecorator, type ExecutionContext, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Connection } from '../../delivery/dispatch/pull/pull-waits.js';
import { GuardedBy } from '../../platform/access/access.js';
import { Operation } from '../../platform/common/dto/operation.js';
import type { HttpRequest } from '../../platform/common/http/http-request.js';
import { HookIdParam } from '../dto/write-outgoing-hook.dto.js';
import { AckDto, NackDto, PullDto, PulledDeliveriesDto, SettledLeasesDto } from './pull.dto.js';
import { type Consumer, CurrentConsumer, PullGuard } from './pull.guard.js';
import { PullService } from './pull.service.js';

const EXPIRED =
  'Leases in `expired` were no longer in force: the delivery was settled, or handed to another consumer.';

/** The connection of the request, which does not count as running while it waits. */
const OwnConnection = createParamDecorator((_: unknown, context: ExecutionContext): Connection => {
  const http = context.switchToHttp();
  const closed = new AbortController();
  http.getResponse<Response>().once('close', () => closed.abort());
  return { signal: closed.signal, onWait: () => http.getRequest<HttpRequest>().yieldPlace?.() };
});

@ApiTags('deliveries of outgoing webhooks')
@Controller('hooks/outgoing/:hook_id')
@GuardedBy('those who may use the webhook, or its token as bearer token', PullGuard)
export class PullController {
  constructor(private readonly pulls: PullService) {}

  @Post('pull')
  @Operation({
    summary: 'Pull due deliveries of an outgoing webhook',
    description:
      'Leases them to the caller, who settles each with `ack` or `nack` before its lease runs out; otherwise they are due again. If none is due, the call waits for one.',
    body: { type: PullDto, required: false },
    ok: PulledDeliveriesDto,
    errors: [403, 404, 409, 429, 501],
  })
  pullDeliveries(
    @CurrentConsumer() consumer: Consumer,
    @HookIdParam() hookId: string,
    @Body() input: PullDto,
    @OwnConnection() connection: Connection,
  ): Promise<PulledDeliveriesDto> {
    return this.pulls.pull(consumer, hookId, input, connection);
  }

  @Post('ack')
  @Operation({
    summary: 'Settle pulled deliveries as delivered',
    description: `Each can have a reply, which is handled like that of a callback URL. ${EXPIRED}`,
    ok: SettledLeasesDto,
    errors: [403, 404, 409, 501],
  })
  ackDeliveries(
    @CurrentConsumer() consumer: Consumer,
    @HookIdParam() hookId: string,
    @Body() input: AckDto,
  ): Promise<SettledLeasesDto> {
    return this.pulls.ack(consumer, hookId, input);
  }

  @Post('nack')
  @Operation({
    summary: 'Refuse pulled deliveries',
    description: `They count as failed attempts, and are due again by the schedule or after \`delay\`. ${EXPIRED}`,
    ok: SettledLeasesDto,
    errors: [403, 404, 409, 501],
  })
  nackDeliveries(
    @CurrentConsumer() consumer: Consumer,
    @HookIdParam() hookId: string,
    @Body() input: NackDto,
  ): Promise<SettledLeasesDto> {
    return this.pulls.nack(consumer, hookId, input);
  }
}
