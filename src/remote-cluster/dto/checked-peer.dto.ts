import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** How a connection works right now (docs/contract/secure-connections.md#check). */
export class CheckedPeerDto {
  @ApiProperty({ description: 'Whether the peer has answered a ping just now.', example: true })
  is_reached: boolean;
  @ApiProperty({ description: 'Why it was not reached; empty if it was.', example: '' }) error: string;
  @ApiProperty({ description: 'From the ping to its answer, or to its end without one.', example: 23 })
  round_trip_ms: number;
  @ApiPropertyOptional({
    description: 'How far the clock of the peer is ahead; left out when its answer does not tell.',
    example: 4,
  })
  clock_skew_ms?: number;
  @ApiProperty({ example: 1764633600000 }) checked_at: number;
  @ApiProperty({
    description: 'When the peer last called this server, to within ten seconds; 0: not known.',
    example: 1764633590000,
  })
  last_heard_at: number;
  @ApiProperty({
    description:
      'The peer answers, but has not called for longer than between its pings: it probably cannot reach this server.',
    example: false,
  })
  is_silent: boolean;
  @ApiProperty({
    description: 'The address of this server that the peer was given; empty if that was not kept.',
    example: 'https://hooks.example.com',
  })
  given_site_url: string;
  @ApiProperty({
    description: '`SITE_URL` now; empty if it is not set.',
    example: 'https://hooks.example.com',
  })
  site_url: string;
  @ApiProperty({ description: 'What to do, for people; empty when all is well.', example: '' })
  advice: string;
}
