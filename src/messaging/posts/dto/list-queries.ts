import {
  DEFAULT_PER_PAGE,
  flagParam,
  MAX_PER_PAGE,
  QueryObject,
  type QueryParam,
  wholeNumber,
} from '../../../platform/common/dto/params.js';
import { invalidQueryParam, InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { isId } from '../../../platform/common/ids.js';

type Values<T> = { readonly [K in keyof T]: T[K] extends QueryParam<infer V> ? V : never };

const LIST_FLAGS = {
  skipFetchThreads: flagParam('skipFetchThreads', 'Omit the root posts of listed replies.'),
  collapsedThreads: flagParam('collapsedThreads', 'List only root posts.'),
  collapsedThreadsExtended: flagParam('collapsedThreadsExtended', 'Accepted and ignored.'),
};

const CHANNEL_POSTS = {
  since: number('since', 'A time in milliseconds; at most 1000 posts, in the order of their changes.'),
  after: { ...postId('after', 'Only posts newer than this one.'), parse: parsePostId },
  before: { ...postId('before', 'Only posts older than this one.'), parse: parsePostId },
  includeDeleted: flagParam('include_deleted', 'Include deleted posts; requires `manage_system`.'),
  ...LIST_FLAGS,
};

/**
 * The query of a channel's posts, without the page (docs/contract/messaging.md#post-lists). `since` overrides
 * `after`, which overrides `before`.
 */
export type ListQuery = Values<typeof CHANNEL_POSTS>;
export const ChannelPostsQuery = (): ParameterDecorator => QueryObject<ListQuery>(CHANNEL_POSTS);

const UNREAD = {
  limitBefore: limit('limit_before', 'Number of older posts; 60 by default, at most 200.'),
  limitAfter: limit(
    'limit_after',
    'Number of posts from the first unread one on; 60 by default, at most 200, never 0.',
  ),
  ...LIST_FLAGS,
};

/** The query of the posts around the first unread one. */
export type UnreadOptions = Values<typeof UNREAD>;
export const UnreadQuery = (): ParameterDecorator =>
  QueryObject<UnreadOptions>(UNREAD, (query) => {
    if (query.limitAfter === 0) throw new InvalidUrlParam('limit_after', 'it must be greater than 0');
    return query;
  });

const THREAD = {
  perPage: {
    ...number(
      'perPage',
      'Posts per page, at most 200; 0 or absent: the whole thread, at most 5000 posts and 8 MiB.',
    ),
    parse: parsePerPage,
  },
  direction: {
    name: 'direction',
    description: {
      description: '`up`: newest first, backwards; `down`: oldest first, forwards.',
      schema: { enum: ['up', 'down'] },
    },
    parse: parseDirection,
  },
  fromCreateAt: number('fromCreateAt', 'Its `create_at`.'),
  fromUpdateAt: number('fromUpdateAt', 'Its `update_at`: the thread is read in the order of changes.'),
  fromPost: postId(
    'fromPost',
    'The last post of the previous page; requires `fromCreateAt` or `fromUpdateAt`.',
  ),
  updatesOnly: flagParam('updatesOnly', 'With `fromUpdateAt`: changes since then.'),
  ...LIST_FLAGS,
};

/** The query of a thread. Its parameters depend on each other. */
export type ThreadOptions = Values<typeof THREAD>;
export const ThreadPageQuery = (): ParameterDecorator =>
  QueryObject<ThreadOptions>(THREAD, requireConsistent);

function requireConsistent(query: ThreadOptions): ThreadOptions {
  const { fromPost, fromCreateAt, fromUpdateAt, updatesOnly, direction } = query;
  if (fromCreateAt !== 0 && fromUpdateAt !== 0) {
    throw invalidQueryParam('fromUpdateAt', 'it cannot be combined with fromCreateAt');
  }
  if (parsePostId(fromPost, 'fromPost') !== '' && fromCreateAt === 0 && fromUpdateAt === 0) {
    throw invalidQueryParam('fromPost', 'it requires fromCreateAt or fromUpdateAt');
  }
  if (updatesOnly && fromUpdateAt === 0) throw invalidQueryParam('updatesOnly', 'it requires fromUpdateAt');
  if (updatesOnly && direction === 'up') {
    throw invalidQueryParam('updatesOnly', 'it cannot be combined with the direction up');
  }
  return query;
}

function number(name: string, description: string): QueryParam<number> {
  return { name, description: { description, schema: { type: 'integer' } }, parse: parseNumber };
}

function limit(name: string, description: string): QueryParam<number> {
  return {
    ...number(name, description),
    parse: (text) => Math.min(wholeNumber(text, DEFAULT_PER_PAGE), MAX_PER_PAGE),
  };
}

/** A post ID or an empty string. The format is not validated here. */
function postId(name: string, description: string): QueryParam<string> {
  return {
    name,
    description: { description, schema: { pattern: '^[A-Za-z0-9]{26}$' } },
    parse: (text) => text ?? '',
  };
}

/** Parses an integer, 0 if absent. Anything else is a 400 with the contract's error ID. */
function parseNumber(text: string | undefined, name: string): number {
  if (text === undefined || text === '') return 0;
  if (!/^-?\d{1,15}$/.test(text))
    throw invalidQueryParam(name, 'it must be a whole number of at most 15 digits');
  return Number(text);
}

function parsePerPage(text: string | undefined, name: string): number {
  const perPage = parseNumber(text, name);
  if (perPage < 0 || perPage > MAX_PER_PAGE) {
    throw invalidQueryParam(name, `it must be between 0 and ${MAX_PER_PAGE}`);
  }
  return perPage;
}

function parseDirection(text = '', name: string): 'up' | 'down' | '' {
  if (text === '' || text === 'up' || text === 'down') return text;
  throw invalidQueryParam(name, 'it must be up or down');
}

function parsePostId(text = '', name: string): string {
  if (text !== '' && !isId(text)) throw invalidQueryParam(name, 'it must be 26 letters and digits');
  return text;
}
