import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { Confirm } from '../../parts/confirm';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import { useUsernames } from '../../parts/usernames';
import { type Token, tokens } from './people-queries';

/** Tokens of all accounts. */
export function AllTokens({ term }: { readonly term: string }): ReactNode {
  const settled = useSettled(term);
  const query = useInfiniteQuery({ ...tokens(settled), placeholderData: keepPreviousData });
  return (
    <Loaded query={query}>
      {({ pages }) =>
        settled !== '' && pages.flat().length === 0 ? (
          <p className="empty">No tokens match.</p>
        ) : (
          <>
            <TokenTable tokens={pages.flat()} isOfAll />
            <More query={query} />
          </>
        )
      }
    </Loaded>
  );
}

interface TokenTableProps {
  readonly tokens: readonly Token[];
  /** Shows the owner of each token. */
  readonly isOfAll?: boolean;
}

/** Tokens, which can be disabled temporarily or revoked permanently. */
export function TokenTable({ tokens: rows, isOfAll = false }: TokenTableProps): ReactNode {
  const nameOf = useUsernames(isOfAll ? rows.map(({ user_id: id }) => id) : []);
  if (rows.length === 0)
    return <p className="empty">No tokens yet. A program signs in with a token instead of a password.</p>;
  return (
    <Table heads={[...(isOfAll ? ['Whose'] : []), 'Purpose', 'State', 'Last used', 'Expires', '']}>
      {rows.map((token) => (
        <tr key={token.id}>
          {isOfAll && (
            <td>
              <Link to="/people/$userId" params={{ userId: token.user_id }}>
                {nameOf(token.user_id)}
              </Link>
            </td>
          )}
          <td>
            {token.description}
            <div className="muted">
              <code>{token.id}</code>
            </div>
          </td>
          <td>
            <TokenState token={token} />
          </td>
          <td>
            <Time at={token.last_used} />
          </td>
          <td>
            <Time at={token.expires_at} />
          </td>
          <td className="actions">
            <TokenActions token={token} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function TokenState({ token }: { readonly token: Token }): ReactNode {
  if (!token.is_active) return <Badge tone="warning">disabled</Badge>;
  const isExpired = token.expires_at > 0 && token.expires_at <= Date.now();
  return isExpired ? <Badge tone="warning">expired</Badge> : <Badge tone="good">active</Badge>;
}

function TokenActions({ token }: { readonly token: Token }): ReactNode {
  const body = { token_id: token.id };
  const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['people'] });
  const revoke = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/tokens/revoke', { body }));
    await reload();
  };
  const disable = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/tokens/disable', { body }));
    await reload();
  };
  const enable = async (): Promise<void> => {
    await answerOf(api.POST('/api/v4/users/tokens/enable', { body }));
    await reload();
  };
  return (
    <>
      {token.is_active ? (
        <Confirm label="Disable" title="Disable this token?" isSmall onConfirm={disable}>
          <p>The program that uses it is refused until the token is enabled again.</p>
        </Confirm>
      ) : (
        <Confirm label="Enable" title="Enable this token?" isSmall onConfirm={enable}>
          <p>Anyone who has it can sign in with it again.</p>
        </Confirm>
      )}
      <Confirm label="Revoke" title="Revoke this token?" isSmall isRisky onConfirm={revoke}>
        <p>The program that uses it is refused from now on. This cannot be undone.</p>
      </Confirm>
    </>
  );
}
