import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../../platform/access/access.js';
import { Operation } from '../../../platform/common/dto/operation.js';
import { IdParam } from '../../../platform/common/dto/params.js';
import { UserIdParam } from '../../users/user-id-param.js';
import { EMPTY_ANSWERS, type EmptyAnswer } from './empty-answers.js';

/** The tag of these operations in the API description. */
export const EMPTY_TAG = 'not available';

/** Answers calls about what Hookline does not have: one handler for each line of the table. */
@ApiTags(EMPTY_TAG)
@SignedIn()
@Controller()
export class EmptyAnswersController {}

for (const line of EMPTY_ANSWERS) addHandler(line);

function addHandler([id, route, summary, answer]: EmptyAnswer): void {
  const [method = '', path = ''] = route.split(' ');
  const { prototype } = EmptyAnswersController;
  // Named after the operation: the API description goes by the name of the function.
  const { [id]: handler } = { [id]: () => answer };
  const descriptor: PropertyDescriptor = { value: handler, configurable: true, writable: true };
  Object.defineProperty(prototype, id, descriptor);
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  for (const [index, name] of names.entries()) {
    const param = name === 'user_id' ? UserIdParam() : IdParam(name, 'The id, which is not looked up.');
    param(prototype, id, index);
  }
  const type = Array.isArray(answer)
    ? { type: 'array', items: { type: 'object' } }
    : { type: 'object', additionalProperties: true };
  const ok = { schema: { ...type, example: answer } as object };
  for (const decorate of [
    method === 'GET' ? Get(path) : Post(path),
    HttpCode(200),
    Operation({ summary: `Always empty: ${summary}`, ok }),
  ])
    decorate(prototype, id, descriptor);
}
