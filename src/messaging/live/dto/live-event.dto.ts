import { ApiProperty } from '@nestjs/swagger';

/** Whom an event is for; empty means no limit. */
export class BroadcastDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    nullable: true,
    example: null,
    description: 'Users who do not get it.',
  })
  omit_users: Record<string, boolean> | null;
  @ApiProperty({ example: 'q7kdzcm5wtd5jfzn8u5fxpbkjo' }) user_id: string;
  @ApiProperty({ example: '' }) channel_id: string;
  @ApiProperty({ example: '' }) team_id: string;
  @ApiProperty({ example: '' }) connection_id: string;
  @ApiProperty({ example: '' }) omit_connection_id: string;
}

/** An event as clients receive it; only described here, since frames are written as text. */
export class LiveEventDto {
  @ApiProperty({ example: 'hello', description: 'What happened, such as `posted` or `user_added`.' })
  event: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { server_version: '11.6.0.11.6.0.hookline.false', connection_id: 'b1f8zcm5wtd5jfzn8u5fxpbkje' },
  })
  data: Record<string, unknown>;
  @ApiProperty() broadcast: BroadcastDto;
  @ApiProperty({ example: 0, description: 'Counts the events of the connection, from 0 and without gaps.' })
  seq: number;
}
