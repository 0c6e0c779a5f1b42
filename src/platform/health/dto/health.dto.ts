import { ApiProperty } from '@nestjs/swagger';

/** The response of both health checks. */
export class HealthDto {
  @ApiProperty({ enum: ['ok'], example: 'ok' }) status: 'ok';
}

/** The response of the check for readiness. */
export class ReadinessDto extends HealthDto {
  @ApiProperty({
    type: [String],
    description: 'What is wrong though the server serves; absent if nothing is.',
    required: false,
  })
  warnings?: readonly string[];
}

/** The one instance of that response. */
export const HEALTHY: HealthDto = { status: 'ok' };
