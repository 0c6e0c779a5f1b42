import { Injectable } from '@nestjs/common';
import { pullLane } from '../../delivery/dispatch/delivery-kind.js';
import type { Connection } from '../../delivery/dispatch/pull/pull-waits.js';
import {
  type ConsumerReply,
  PulledDeliveriesService,
} from '../../delivery/dispatch/pull/pulled-deliveries.service.js';
import { durationMs } from '../../platform/config/parse.js';
import { InvalidBodyParam, sessionExpired } from '../../platform/common/errors/common-errors.js';
import { isId } from '../../platform/common/ids.js';
import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import { SecretUnreadable } from '../../platform/secrets/secret-box.js';
import { OutgoingHookRecords } from '../outgoing-hook-records.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';
import { hookIsPushed, secretsUnreadable } from '../outgoing-hooks.errors.js';
import { OutgoingHooksService } from '../outgoing-hooks.service.js';
import {
  type AckDto,
  type NackDto,
  type PullDto,
  PulledDeliveriesDto,
  PulledDeliveryDto,
  type SettledLeasesDto,
} from './pull.dto.js';
import type { Consumer } from './pull.guard.js';

export const MAX_LEASES = 100;
const MAX_TYPE_LENGTH = 255;

/** Hands the deliveries of a webhook to its consumers (docs/contract/outgoing-webhooks.md#pull). */
@Injectable()
export class PullService {
  constructor(
    private readonly hooks: OutgoingHooksService,
    private readonly records: OutgoingHookRecords,
    private readonly deliveries: PulledDeliveriesService,
  ) {}

  /** Throws InvalidBodyParam, `hookIsPushed`, `secretsUnreadable`, `tooManyPulls`. */
  async pull(
    consumer: Consumer,
    hookId: string,
    input: PullDto,
    connection: Connection,
  ): Promise<PulledDeliveriesDto> {
    const { ordering, creatorId, teamId } = await this.require(consumer, hookId);
    const isOrdered = ordering === 'channel';
    const { limit } = input;
    if (limit < 1 || limit > MAX_LEASES)
      throw new InvalidBodyParam('limit', `it must be from 1 to ${MAX_LEASES}`);
    const waitMs = durationOf('wait', input.wait, '0s', '60s');
    const leaseMs = durationOf('lease', input.lease, '1s', '1h');
    const request = { limit, waitMs, leaseMs, isOrdered, recheck: () => this.require(consumer, hookId) };
    const place = { lane: pullLane(hookId), sharers: [creatorId, teamId] };
    const pulled = await this.deliveries.pull(place, request, connection).catch(refuse);
    return { deliveries: pulled.map((delivery) => PulledDeliveryDto.from(delivery)) };
  }

  /** Throws InvalidBodyParam, `hookIsPushed`, `secretsUnreadable`. */
  async ack(
    consumer: Consumer,
    hookId: string,
    { lease_ids: ids, replies }: AckDto,
  ): Promise<SettledLeasesDto> {
    await this.require(consumer, hookId);
    requireLeases(ids);
    return this.deliveries.ack(hookId, ids, readReplies(replies, ids)).catch(refuse);
  }

  /** Throws InvalidBodyParam, `hookIsPushed`. */
  async nack(
    consumer: Consumer,
    hookId: string,
    { lease_ids: ids, delay }: NackDto,
  ): Promise<SettledLeasesDto> {
    await this.require(consumer, hookId);
    requireLeases(ids);
    const delayMs = delay === undefined ? undefined : durationOf('delay', delay, '0s', '24h');
    return this.deliveries.nack(hookId, ids, delayMs);
  }

  private async require(consumer: Consumer, hookId: string): Promise<OutgoingHook> {
    this.hooks.requireEnabled();
    const hook =
      consumer.kind === 'token'
        ? await this.records.load(hookId)
        : await this.hooks.getForUse(consumer, hookId);
    if (consumer.kind === 'token' && consumer.sealedToken !== hook.sealedToken) throw sessionExpired();
    if (hook.delivery !== 'pull') throw hookIsPushed();
    return hook;
  }
}

function refuse(error: unknown): never {
  throw error instanceof SecretUnreadable ? secretsUnreadable() : error;
}

function requireLeases(ids: readonly string[]): void {
  if (ids.length === 0 || ids.length > MAX_LEASES)
    throw new InvalidBodyParam('lease_ids', `it must have 1 to ${MAX_LEASES} items`);
  if (!ids.every(isId)) throw new InvalidBodyParam('lease_ids', 'each must be the id of a lease');
}

function durationOf(field: string, text: string, min: string, max: string): number {
  const ms = durationMs(text);
  if (ms >= durationMs(min) && ms <= durationMs(max)) return ms;
  throw new InvalidBodyParam(field, `it must be a duration such as 500ms, 20s or 5m, from ${min} to ${max}`);
}

function readReplies(replies: JsonObject, ids: readonly string[]): Map<string, ConsumerReply> {
  const invalid = (id: string, reason: string): InvalidBodyParam =>
    new InvalidBodyParam(`replies.${id}`, reason);
  return new Map(
    Object.entries(replies).map(([id, reply]) => {
      if (!ids.includes(id)) throw new InvalidBodyParam('replies', 'each key must be one of lease_ids');
      if (!isJsonObject(reply)) throw invalid(id, 'it must be an object with content_type and body');
      const { content_type: contentType = 'application/json', body } = reply;
      if (typeof body !== 'string') throw invalid(id, 'body must be a string');
      if (typeof contentType !== 'string' || contentType.length > MAX_TYPE_LENGTH)
        throw invalid(id, `content_type must be a string of at most ${MAX_TYPE_LENGTH} characters`);
      return [id, { contentType, body }];
    }),
  );
}
