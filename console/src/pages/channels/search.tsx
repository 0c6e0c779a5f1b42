import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../parts/loaded';
import { foundPosts, inOrder, isOf, MAX_FOUND } from './channel-queries';
import { Posts } from './posts';
import { usePostNews } from './use-post-news';

interface SearchProps {
  readonly terms: string;
  readonly onSearch: (terms: string) => void;
}

/** Search form. */
export function Search({ terms, onSearch }: SearchProps): ReactNode {
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = new FormData(event.currentTarget).get('terms');
        onSearch(typeof wanted === 'string' ? wanted : '');
      }}
    >
      <TextInput
        type="search"
        name="terms"
        aria-label="Search messages"
        placeholder="Search"
        defaultValue={terms}
      />
    </form>
  );
}

interface FoundProps {
  readonly teamId: string;
  readonly terms: string;
  readonly onOpen: (postId: string) => void;
}

/** Search results, newest first; searching again includes newer messages. */
export function Found({ teamId, terms, onOpen }: FoundProps): ReactNode {
  const query = foundPosts(teamId, terms);
  const posts = useQuery(query);
  usePostNews(
    query.queryKey,
    ({ event, broadcast }) => event !== 'posted' && posts.data !== undefined && isOf(posts.data, broadcast),
  );
  return (
    <Loaded query={posts}>
      {(list) => {
        const found = inOrder(list).toReversed();
        return (
          <>
            {(list.has_next === true || found.length >= MAX_FOUND) && (
              <p className="muted">
                These are the newest {found.length}; there may be more. Add words to narrow the search.
              </p>
            )}
            <Posts posts={found} onOpen={onOpen} teamId={teamId} none="No messages found." />
          </>
        );
      }}
    </Loaded>
  );
}
