import { ApiProperty } from '@nestjs/swagger';

/** Hookline is free software; clients that ask for a licence hear that there is none. */
export class LicenseDto {
  @ApiProperty({ example: 'false' }) IsLicensed: string;
}

export const NO_LICENSE: LicenseDto = { IsLicensed: 'false' };
