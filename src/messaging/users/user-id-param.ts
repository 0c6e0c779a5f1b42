import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type ActingRequest, requireUser } from '../permissions/actor.js';
import { describePathParam, documented } from '../../platform/common/dto/documented-param.js';
import { parseIdParam } from '../../platform/common/dto/params.js';

const readUserId = createParamDecorator((name: string, context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<ActingRequest>();
  const value = request.params[name];
  return value === 'me'
    ? requireUser(request.actor)
    : parseIdParam(name, typeof value === 'string' ? value : undefined);
});

/** The user id in the path; `me` is the caller, and causes a 401 in local mode, which has no user. */
export const UserIdParam = (name = 'user_id'): ParameterDecorator =>
  documented(
    readUserId(name),
    describePathParam(name, {
      description: 'The id of the user, or `me`.',
      example: 'me',
      schema: { type: 'string', pattern: '^([A-Za-z0-9]{26}|me)$' },
    }),
  );
