import { ApiProperty } from '@nestjs/swagger';

export class HealthDto {
  @ApiProperty({ example: 'ok' }) status: 'ok';
}

export const HEALTHY: HealthDto = { status: 'ok' };
