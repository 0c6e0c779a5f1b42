import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export type Health = 'OK' | 'UNHEALTHY';

/** The answer to a ping. */
export class PingDto {
  @ApiProperty({ enum: ['OK', 'UNHEALTHY'], example: 'OK' }) status: Health;
  @ApiProperty({ example: '' }) AndroidLatestVersion: string;
  @ApiProperty({ example: '' }) AndroidMinVersion: string;
  @ApiProperty({ example: '' }) IosLatestVersion: string;
  @ApiProperty({ example: '' }) IosMinVersion: string;
  @ApiProperty({ example: 'database' }) ActiveSearchBackend: string;
  @ApiPropertyOptional({
    enum: ['OK', 'UNHEALTHY'],
    example: 'OK',
    description: 'Only with `get_server_status=true`.',
  })
  database_status?: Health;
  @ApiPropertyOptional({
    enum: ['OK', 'UNHEALTHY'],
    example: 'OK',
    description: 'Only with `get_server_status=true`.',
  })
  filestore_status?: Health;

  static of(parts?: { readonly database: Health; readonly files: Health }): PingDto {
    return {
      status: parts && (parts.database !== 'OK' || parts.files !== 'OK') ? 'UNHEALTHY' : 'OK',
      AndroidLatestVersion: '',
      AndroidMinVersion: '',
      IosLatestVersion: '',
      IosMinVersion: '',
      ActiveSearchBackend: 'database',
      database_status: parts?.database,
      filestore_status: parts?.files,
    };
  }
}
