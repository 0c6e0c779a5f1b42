import { ApiProperty } from '@nestjs/swagger';
import type { CallTiming } from '../../delivery/outbound/exchange.js';

/** Where the time of a call went until its request was sent. */
export class CallTimingDto {
  @ApiProperty({ description: 'To find the address of the name.', example: 1 }) name_ms: number;
  @ApiProperty({ description: 'To open the connection.', example: 2 }) connect_ms: number;
  @ApiProperty({ description: 'To agree on TLS.', example: 5 }) tls_ms: number;
  @ApiProperty({
    description: 'From the start of the call until the request was sent, all of these included.',
    example: 8,
  })
  sent_ms: number;

  static from({ nameMs, connectMs, tlsMs, sentMs }: CallTiming): CallTimingDto {
    return {
      name_ms: Math.round(nameMs),
      connect_ms: Math.round(connectMs),
      tls_ms: Math.round(tlsMs),
      sent_ms: Math.round(sentMs),
    };
  }
}
