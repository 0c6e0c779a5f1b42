import { DEFAULT_PER_PAGE, MAX_PER_PAGE, wholeNumber } from '../../../platform/common/dto/params.js';
import { flagParam, type QueryParam, QueryObject } from '../../../platform/common/dto/query-object.js';
import { invalidQueryParam, InvalidUrlParam } from '../../../platform/common/errors/common-errors.js';
import { isId } from '../../../platform/common/ids.js';
import type { ChannelPostsOptions, UnreadOptions } from '../post-lists.service.js';
import type { ThreadOptions } from '../threads.service.js';

/** The query of a channel's posts, without the page (docs/contract/messaging.md#post-lists). */
export type ListQuery = Omit<ChannelPostsOptions, 'page'>;

/** Flags accepted by all post lists. */
const LIST_FLAGS = {
  skipFetchThreads: flagParam(
    'skipFetchThreads',
    'Leave out the first posts of the threads that listed replies belong to.',
  ),
  collapsedThreads: flagParam('collapsedThreads', 'List first posts of threads only.'),
  collapsedThreadsExtended: flagParam('collapsedThreadsExtended', 'Accepted and ignored.'),
};

export const ChannelPostsQuery = (): ParameterDecorator =>
  QueryObject<ListQuery>({
    since: number('since', 'A time in milliseconds; 1000 posts at most, those that changed first.'),
    after: { ...postId('after', 'Only newer posts than this one.'), parse: parsePostId },
    before: { ...postId('before', 'Only older posts than this one.'), parse: parsePostId },
    includeDeleted: flagParam('include_deleted', 'Deleted posts too; for holders of `manage_system`.'),
    ...LIST_FLAGS,
  });

/** The query of the posts around the first unread one. */
export const UnreadQuery = (): ParameterDecorator =>
  QueryObject<UnreadOptions>(
    {
      limitBefore: limit('limit_before', 'How many older posts; 60 unless given, 200 at most.'),
      limitAfter: limit(
        'limit_after',
        'How many posts from the first unread one on; 60 unless given, 200 at most, never 0.',
      ),
      ...LIST_FLAGS,
    },
    (query) => {
      if (query.limitAfter === 0) throw new InvalidUrlParam('limit_after', 'it must be more than 0');
      return query;
    },
  );

interface ThreadQuery extends ThreadOptions {
  readonly updatesOnly: boolean;
}

/** The query of a thread. Its parameters depend on each other. */
export const ThreadPageQuery = (): ParameterDecorator =>
  QueryObject<ThreadQuery>(
    {
      perPage: {
        ...number(
          'perPage',
          'Posts per page, 200 at most; 0 or absent: the whole thread, 5000 posts and 8 MiB at most.',
        ),
        parse: parsePerPage,
      },
      direction: {
        name: 'direction',
        description: {
          description: '`up`: newest first, going back; `down`: oldest first, going on.',
          schema: { enum: ['up', 'down'] },
        },
        parse: parseDirection,
      },
      fromCreateAt: number('fromCreateAt', 'Its `create_at`.'),
      fromUpdateAt: number('fromUpdateAt', 'Its `update_at`: the thread is read in the order of changes.'),
      fromPost: postId(
        'fromPost',
        'The last post of the page before; needs `fromCreateAt` or `fromUpdateAt`.',
      ),
      updatesOnly: flagParam('updatesOnly', 'With `fromUpdateAt`: what has changed since then.'),
      ...LIST_FLAGS,
    },
    requireConsistent,
  );

function requireConsistent(query: ThreadQuery): ThreadQuery {
  const { fromPost, fromCreateAt, fromUpdateAt, updatesOnly, direction } = query;
  if (fromCreateAt !== 0 && fromUpdateAt !== 0) {
    throw invalidQueryParam('fromUpdateAt', 'it excludes fromCreateAt');
  }
  if (parsePostId(fromPost, 'fromPost') !== '' && fromCreateAt === 0 && fromUpdateAt === 0) {
    throw invalidQueryParam('fromPost', 'it needs fromCreateAt or fromUpdateAt');
  }
  if (updatesOnly && fromUpdateAt === 0) throw invalidQueryParam('updatesOnly', 'it needs fromUpdateAt');
  if (updatesOnly && direction === 'up') {
    throw invalidQueryParam('updatesOnly', 'it excludes the direction up');
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
    throw invalidQueryParam(name, 'it must be a whole number of 15 digits at most');
  return Number(text);
}

function parsePerPage(text: string | undefined, name: string): number {
  const perPage = parseNumber(text, name);
  if (perPage < 0 || perPage > MAX_PER_PAGE) {
    throw invalidQueryParam(name, `it must be between 0 and ${MAX_PER_PAGE}`);
  }
  return perPage;
}

function parseDirection(text = '', name: string): ThreadOptions['direction'] {
  if (text === '' || text === 'up' || text === 'down') return text;
  throw invalidQueryParam(name, 'it must be up or down');
}

function parsePostId(text = '', name: string): string {
  if (text !== '' && !isId(text)) throw invalidQueryParam(name, 'it must be 26 letters and digits');
  return text;
}
