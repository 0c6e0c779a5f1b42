import { Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../../platform/access/access.js';
import { Operation } from '../../../platform/common/dto/operation.js';
import { IdParam } from '../../../platform/common/dto/params.js';
import { UserIdParam } from '../../users/user-id-param.js';
import { notAvailable } from '../system.errors.js';
import { EMPTY_ANSWERS, type EmptyAnswer } from './empty-answers.js';

/** The tag of these operations in the API description. */
export const EMPTY_TAG = 'not available';

/** Answers calls about what Hookline does not have: one handler for each line of the table. */
@ApiTags(EMPTY_TAG)
@SignedIn()
@Controller()
export class EmptyAnswersController {}

const METHODS = { GET: Get, POST: Post, PUT: Put, DELETE: Delete };

for (const line of EMPTY_ANSWERS) addHandler(line);

function addHandler([id, route, summary, answer]: EmptyAnswer): void {
  const [method, path] = route.split(' ') as [keyof typeof METHODS, string];
  const { prototype } = EmptyAnswersController;
  const handle = typeof answer === 'string' ? refusing(answer) : () => answer;
  // Named after the operation: the API description goes by the name of the function.
  const { [id]: handler } = { [id]: () => handle() };
  const descriptor: PropertyDescriptor = { value: handler, configurable: true, writable: true };
  Object.defineProperty(prototype, id, descriptor);
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  for (const [index, name] of names.entries()) {
    const param = name === 'user_id' ? UserIdParam() : IdParam(name, 'The id, which is not looked up.');
    param(prototype, id, index);
  }
  const documentation =
    typeof answer === 'string'
      ? { summary: `Not available: ${summary}`, description: answer, errors: [501] }
      : { summary: `Always empty: ${summary}`, ok: schemaOf(answer) };
  for (const decorate of [METHODS[method](path), HttpCode(200), Operation(documentation)])
    decorate(prototype, id, descriptor);
}

function refusing(reason: string): () => never {
  return () => {
    throw notAvailable(reason);
  };
}

function schemaOf(answer: object) {
  const type = Array.isArray(answer)
    ? { type: 'array', items: { type: 'object' } }
    : { type: 'object', additionalProperties: true };
  return { schema: { ...type, example: answer } as object };
}
