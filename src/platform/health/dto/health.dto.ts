import { ApiProperty } from '@nestjs/swagger';

/** The response of both health checks. */
export class HealthDto {
  @ApiProperty({ enum: ['ok'], example: 'ok' }) status: 'ok';
}

/** The one instance of that response. */
export const HEALTHY: HealthDto = { status: 'ok' };
