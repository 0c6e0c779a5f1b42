import { ApiProperty } from '@nestjs/swagger';
import { BodyName, BooleanField, IntegerField } from '../../platform/common/dto/fields.js';
import type { OrderedRecovery } from './ordered-recovery.js';

/** Which deliveries are to be sent again. */
@BodyName('recovery')
export class RecoverDto {
  @IntegerField({
    required: true,
    description:
      'Deliveries created since then that failed, were cancelled, or wait for their next attempt; milliseconds since the epoch.',
    example: 1764633600000,
  })
  since?: number; // null is judged with the value, after the webhook
  @BooleanField({ description: 'Only count them.', default: false }) dry_run = false;
}

/** An order to send again, and how far it has come. */
export class RecoveryDto {
  @ApiProperty({ description: 'Empty for a dry run.', example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) id: string;
  @ApiProperty({ description: 'Empty for one over all webhooks.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' })
  hook_id: string;
  @ApiProperty({ example: 1764633600000 }) since: number;
  @ApiProperty({ description: 'How many there are to send again, exactly.', example: 1204 }) total: number;
  @ApiProperty({
    description: 'How many of them waited for their next attempt when it was ordered; the others had ended.',
    example: 4,
  })
  waiting: number;
  @ApiProperty({ description: 'How many of them are due again by now.', example: 300 }) requeued: number;
  @ApiProperty({ enum: ['dry_run', 'running', 'finished', 'stopped'], example: 'running' }) status: string;
  @ApiProperty({ example: 1764720000000 }) create_at: number;
  @ApiProperty({ description: '0 while it is going on.', example: 0 }) finish_at: number;

  static from(recovery: OrderedRecovery): RecoveryDto {
    return {
      id: recovery.id,
      hook_id: recovery.ownerId,
      since: recovery.since,
      total: recovery.total,
      waiting: recovery.waiting,
      requeued: recovery.requeued,
      status: statusOf(recovery),
      create_at: recovery.createAt,
      finish_at: recovery.finishAt,
    };
  }
}

function statusOf({ id, finishAt, isStopped }: OrderedRecovery): string {
  if (id === '') return 'dry_run';
  if (isStopped) return 'stopped';
  return finishAt > 0 ? 'finished' : 'running';
}
