import type { PipeTransform } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { decodeBody } from '../../../platform/common/dto/body.pipe.js';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { foldKeys, isJsonObject } from '../../../platform/common/json.js';

export class LoginDto {
  @ApiPropertyOptional({ description: 'Username or e-mail address.', example: 'admin' }) login_id: string;
  @ApiPropertyOptional({ description: 'The id of the account, instead of login_id.', example: '' })
  id: string;
  @ApiProperty({ example: 'correct horse battery' }) password: string;
  @ApiPropertyOptional({
    description: 'Of a mobile client; the new session replaces those of the same device.',
    example: '',
  })
  device_id: string;
}

const FIELDS = ['login_id', 'id', 'password', 'device_id'] as const;

/** A body that cannot be read counts as one without a password, which is what the contract answers to. */
export class LoginBody implements PipeTransform<unknown, LoginDto> {
  transform(value: unknown): LoginDto {
    const fields = foldKeys(objectOf(value));
    const login: LoginDto = { login_id: '', id: '', password: '', device_id: '' };
    for (const field of FIELDS) {
      const text = fields[field];
      if (typeof text === 'string') login[field] = text;
    }
    return login;
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  try {
    const decoded = Buffer.isBuffer(value) ? decodeBody(value, 'login') : value;
    return isJsonObject(decoded) ? decoded : {};
  } catch (error) {
    if (error instanceof InvalidBodyParam) return {};
    throw error;
  }
}
