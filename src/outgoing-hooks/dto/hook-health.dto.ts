import { ApiProperty } from '@nestjs/swagger';
import { MAX_COUNTED, type OwnerActivity } from '../../delivery/dispatch/deliveries.service.js';
import { ENDPOINT_STATES, type EndpointState } from '../endpoints/endpoint-index.js';
import type { OutgoingHook } from '../outgoing-hook.entity.js';

/** `failing` and what follows: nothing reaches the receivers. */
const HEALTH_STATES = ['ok', 'degraded', 'failing', 'disabled', 'paused'] as const;
type HealthState = (typeof HEALTH_STATES)[number];

class UrlHealthDto {
  @ApiProperty({ description: 'Shown like `callback_urls`.', example: 'https://ci.example.com/deploy' })
  url: string;
  @ApiProperty({ enum: ENDPOINT_STATES, example: 'ok' }) status: EndpointState;
  @ApiProperty({ description: 'When it began to fail; 0 if it does not.', example: 0 }) failing_since: number;
  @ApiProperty({
    description: 'The last success, if it is among the last 100 of the webhook; otherwise 0.',
    example: 1764633600000,
  })
  last_success_at: number;
}

interface Fault {
  /** Why it does not receive some of its events. */
  readonly pausedReason: string;
  /** Why it receives none of them. */
  readonly stoppedReason: string;
  readonly areSecretsUnreadable: boolean;
}

/** The health of an outgoing webhook (docs/contract/outgoing-webhooks.md#health). */
export class HookHealthDto {
  @ApiProperty({
    enum: HEALTH_STATES,
    description:
      '`degraded`: one of its callback URLs fails or is disabled, or it does not receive some of its events. `failing`: all of them do, or its secrets cannot be decrypted.',
    example: 'ok',
  })
  status: HealthState;
  @ApiProperty({
    description: 'Its `disabled_reason` or `paused_reason`, `secrets_unreadable`, or empty.',
    example: '',
  })
  reason: string;
  @ApiProperty({ type: [UrlHealthDto] }) urls: readonly UrlHealthDto[];
  @ApiProperty({ description: 'The last successful delivery; 0 without any.', example: 1764633600000 })
  last_success_at: number;
  @ApiProperty({
    description: 'The last failed call to a failing URL, to within an hour; 0 if none fails.',
    example: 0,
  })
  last_failure_at: number;
  @ApiProperty({ description: `Open deliveries; ${MAX_COUNTED} stands for that or more.`, example: 0 })
  waiting: number;
  @ApiProperty({ description: 'When the oldest of them was created; 0 without any.', example: 0 })
  oldest_waiting_at: number;

  static from(
    hook: OutgoingHook,
    { open, successes }: OwnerActivity,
    fault: Fault,
    shown: (url: string) => string,
  ): HookHealthDto {
    const lastOf = (these: OwnerActivity['successes']): number =>
      Math.max(0, ...these.map(({ finishAt }) => finishAt));
    const urls = hook.callbackUrls.map((url) => ({
      url: shown(url),
      status: stateOf(hook, url),
      failing_since: hook.failingUrls[url] ?? 0,
      last_success_at: lastOf(successes.filter((success) => success.url === url)),
    }));
    const [status, reason] = standingOf(hook, fault, urls);
    return {
      status,
      reason,
      urls,
      last_success_at: lastOf(successes),
      last_failure_at: urls.every(({ status: each }) => each === 'ok') ? 0 : hook.lastFailureAt,
      waiting: open.count,
      oldest_waiting_at: open.oldestAt,
    };
  }
}

function stateOf({ disabledUrls, failingUrls }: OutgoingHook, url: string): EndpointState {
  if (disabledUrls.includes(url)) return 'disabled';
  return failingUrls[url] === undefined ? 'ok' : 'failing';
}

function standingOf(
  { disabledAt, disabledReason }: OutgoingHook,
  { pausedReason, stoppedReason, areSecretsUnreadable }: Fault,
  urls: readonly UrlHealthDto[],
): [status: HealthState, reason: string] {
  if (disabledAt > 0) return ['disabled', disabledReason];
  if (stoppedReason !== '') return ['paused', stoppedReason];
  if (areSecretsUnreadable) return ['failing', 'secrets_unreadable'];
  const bad = urls.filter(({ status }) => status !== 'ok').length;
  if (bad === 0) return [pausedReason === '' ? 'ok' : 'degraded', pausedReason];
  return [bad < urls.length ? 'degraded' : 'failing', pausedReason];
}
