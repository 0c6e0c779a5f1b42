import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import { people, type Person, roleOf, stateOf } from './people-queries';

/** User accounts. Bots have a separate list, but search finds them here too. */
export function People({ term }: { readonly term: string }): ReactNode {
  const settled = useSettled(term);
  const query = useInfiniteQuery({ ...people(settled), placeholderData: keepPreviousData });
  const shown = (pages: readonly (readonly Person[])[]): readonly Person[] =>
    pages.flat().filter(({ is_bot: isBot }) => !isBot || settled !== '');
  return (
    <Loaded query={query}>
      {({ pages }) =>
        shown(pages).length === 0 && !query.hasNextPage ? (
          <p className="empty">No people or bots match.</p>
        ) : (
          <>
            <Table heads={['Name', 'Email', 'Role', 'State', 'Created']}>
              {shown(pages).map((user) => (
                <tr key={user.id}>
                  <td>
                    <Link to="/people/$userId" params={{ userId: user.id }}>
                      {user.username}
                    </Link>
                    <div className="muted">{[user.first_name, user.last_name].join(' ').trim()}</div>
                  </td>
                  <td>{user.email}</td>
                  <td>{user.is_bot ? <Badge tone="quiet">bot</Badge> : roleOf(user)}</td>
                  <td>
                    <Badge tone={stateOf(user.delete_at).tone}>{stateOf(user.delete_at).text}</Badge>
                  </td>
                  <td>
                    <Time at={user.create_at} />
                  </td>
                </tr>
              ))}
            </Table>
            <More query={query} />
          </>
        )
      }
    </Loaded>
  );
}
