import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parseIdParam } from '../../common/dto/params.js';
import { InvalidUrlParam } from '../../common/errors/common-errors.js';
import type { ActingRequest } from '../../permissions/actor.js';

/** The id of a user in the path; `me` stands for the caller. */
export const UserIdParam = createParamDecorator((name: string, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<ActingRequest>();
  const value = request.params[name];
  if (value !== 'me') return parseIdParam(name, typeof value === 'string' ? value : undefined);
  if (request.actor.kind !== 'user') throw new InvalidUrlParam(name, 'local mode has no user that me could stand for');
  return request.actor.userId;
});
