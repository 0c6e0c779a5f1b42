import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import {
  DEFAULT_PER_PAGE,
  isTruthy,
  MAX_PER_PAGE,
  queryText,
  wholeNumber,
} from '../../../platform/common/dto/params.js';
import { InvalidBodyParam, InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import type { HttpRequest } from '../../../platform/common/http/http-request.js';
import { isId } from '../../../platform/common/ids.js';
import type { ChannelPostsOptions, UnreadOptions } from '../post-lists.service.js';
import type { ThreadOptions } from '../threads.service.js';
import { queryNumber } from './query-number.js';

type ListQuery = Omit<ChannelPostsOptions, 'page'>;

const reader = <T>(read: (text: (name: string) => string | undefined) => T) =>
  createParamDecorator((_: unknown, context: ExecutionContext): T => {
    const request = context.switchToHttp().getRequest<HttpRequest>();
    return read((name) => queryText(request, name));
  });

/** The query of a channel's posts (docs/contract/messaging.md#post-lists). */
export const ChannelPostsQuery = reader((text): ListQuery => ({
  since: queryNumber('since', text('since')),
  after: idOf('after', text('after')),
  before: idOf('before', text('before')),
  includeDeleted: isTruthy(text('include_deleted')),
  skipFetchThreads: isTruthy(text('skipFetchThreads')),
  collapsedThreads: isTruthy(text('collapsedThreads')),
}));

/** The query of the posts around the first unread one. */
export const UnreadQuery = reader((text): UnreadOptions => {
  const limitAfter = limit(text('limit_after'));
  if (limitAfter === 0) throw new InvalidUrlParam('limit_after', 'it must be more than 0');
  return {
    limitBefore: limit(text('limit_before')),
    limitAfter,
    skipFetchThreads: isTruthy(text('skipFetchThreads')),
    collapsedThreads: isTruthy(text('collapsedThreads')),
  };
});

/** The query of a thread; its parameters depend on each other. */
export const ThreadPageQuery = reader((text): ThreadOptions => {
  const perPage = queryNumber('perPage', text('perPage'));
  if (perPage < 0 || perPage > MAX_PER_PAGE) {
    throw new InvalidBodyParam('perPage', `it must be between 0 and ${MAX_PER_PAGE}`);
  }
  const direction = text('direction') ?? '';
  if (direction !== '' && direction !== 'up' && direction !== 'down') {
    throw new InvalidBodyParam('direction', 'it must be up or down');
  }
  const fromCreateAt = queryNumber('fromCreateAt', text('fromCreateAt'));
  const fromUpdateAt = queryNumber('fromUpdateAt', text('fromUpdateAt'));
  if (fromCreateAt !== 0 && fromUpdateAt !== 0) {
    throw new InvalidBodyParam('fromUpdateAt', 'it excludes fromCreateAt');
  }
  const fromPost = idOf('fromPost', text('fromPost'));
  if (fromPost !== '' && fromCreateAt === 0 && fromUpdateAt === 0) {
    throw new InvalidBodyParam('fromPost', 'it needs fromCreateAt or fromUpdateAt');
  }
  if (isTruthy(text('updatesOnly')) && fromUpdateAt === 0) {
    throw new InvalidBodyParam('updatesOnly', 'it needs fromUpdateAt');
  }
  if (isTruthy(text('updatesOnly')) && direction === 'up') {
    throw new InvalidBodyParam('updatesOnly', 'it excludes the direction up');
  }
  return {
    perPage,
    direction,
    fromPost,
    fromCreateAt,
    fromUpdateAt,
    skipFetchThreads: isTruthy(text('skipFetchThreads')),
    collapsedThreads: isTruthy(text('collapsedThreads')),
  };
});

/** Documents the flags that all lists of posts take. */
export const ApiListFlags = (): MethodDecorator =>
  applyDecorators(
    ApiFlag('skipFetchThreads', 'Leave out the first posts of the threads that listed replies belong to.'),
    ApiFlag('collapsedThreads', 'List first posts of threads only.'),
    ApiFlag('collapsedThreadsExtended', 'Accepted and ignored.'),
  );

export const ApiFlag = (name: string, description: string, fallback = false): MethodDecorator =>
  ApiQuery({ name, required: false, description, schema: { type: 'boolean', default: fallback } });

export const ApiNumber = (name: string, description: string): MethodDecorator =>
  ApiQuery({ name, required: false, description, schema: { type: 'integer' } });

export const ApiPostId = (name: string, description: string): MethodDecorator =>
  ApiQuery({ name, required: false, description, schema: { type: 'string', pattern: '^[A-Za-z0-9]{26}$' } });

/** Documents the direction of reading a thread. */
export const ApiDirection = (): MethodDecorator =>
  ApiQuery({
    name: 'direction',
    required: false,
    description: '`up`: newest first, going back; `down`: oldest first, going on.',
    schema: { type: 'string', enum: ['up', 'down'] },
  });

function idOf(name: string, text: string | undefined): string {
  if (text === undefined || text === '') return '';
  if (!isId(text)) throw new InvalidBodyParam(name, 'it must be 26 letters and digits');
  return text;
}

function limit(text: string | undefined): number {
  return Math.min(wholeNumber(text, DEFAULT_PER_PAGE), MAX_PER_PAGE);
}
