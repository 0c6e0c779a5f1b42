import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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
}

/** The answer to a message. */
export class MessageAnswerDto {
  @ApiProperty({ enum: ['OK', 'FAIL'], example: 'OK' }) status: 'OK' | 'FAIL';
  @ApiProperty({ description: 'Why it failed.', example: '' }) err: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null })
  payload: Record<string, unknown> | null;
}
