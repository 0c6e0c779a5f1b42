import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { InvalidBodyParam } from '../../platform/common/errors/common-errors.js';
import { isJsonObject } from '../../platform/common/json.js';

export class FrameMessageDto {
  @ApiProperty({ example: 'k1f8zcm5wtd5jfzn8u5fxpbkjy' }) id: string;
  @ApiProperty({ example: 'ping' }) topic: string;
  @ApiPropertyOptional({ example: 1764633600000 }) create_at?: number;
  @ApiProperty({
    description: 'What the topic asks for.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: { sent_at: 1764633600000, recv_at: 0 },
  })
  payload: unknown;
}

/** What servers say to each other. */
export class FrameDto {
  @ApiProperty({ description: 'The connection.', example: 'b1f8zcm5wtd5jfzn8u5fxpbkje' }) remote_id: string;
  @ApiProperty({ type: FrameMessageDto }) msg: FrameMessageDto;
}

/** The answer to a ping. */
export class PeerPingDto {
  @ApiProperty({ description: 'As the peer has sent it.', example: 1764633600000 }) sent_at: number;
  @ApiProperty({ description: 'Our clock.', example: 1764633600005 }) recv_at: number;

  /** Throws InvalidBodyParam unless the payload is null or an object, whose `sent_at` is a time if it is there. */
  static to(payload: unknown, now: number): PeerPingDto {
    if (payload === null) return { sent_at: 0, recv_at: now };
    const sentAt: unknown = isJsonObject(payload) ? (payload['sent_at'] ?? 0) : undefined;
    if (typeof sentAt !== 'number' || !Number.isSafeInteger(sentAt))
      throw new InvalidBodyParam('msg.payload', 'it must be an object with the time sent_at');
    return { sent_at: sentAt, recv_at: now };
  }
}

/** The answer to a message. */
export class MessageAnswerDto {
  @ApiProperty({ enum: ['OK', 'FAIL'], example: 'OK' }) status: 'OK' | 'FAIL';
  @ApiProperty({ description: 'Why it failed.', example: '' }) err: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null })
  payload: Record<string, unknown> | null;
}
