import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconClock, IconKey } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Code } from '../../parts/code';
import { Confirm } from '../../parts/confirm';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Empty } from '../../parts/empty';
import { ExpiryField, expiryOf } from '../../parts/expiry-field';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { More } from '../../parts/more';
import { StatusBadge } from '../../parts/status-badge';
import type { Status } from '../../parts/statuses';
import { Time } from '../../parts/time';
import { useSettled } from '../../parts/use-settled';
import { useUsernames } from '../../parts/usernames';
import { NameCell, NameLink, RowActions, Section, TextFields, Undoable } from './parts';
import { type Token, tokens, tokensOf } from './people-queries';

const NONE = 'Programs sign in with tokens. Create one on the page of a bot or a person.';
const SOON_MS = 7 * 86_400_000;
const reload = (): Promise<void> => queries.invalidateQueries({ queryKey: ['people'] });

const COLUMNS: readonly Column<Token>[] = [
  {
    title: 'Description',
    cell: ({ id, description }) => (
      <>
        {description}
        <Text size="xs" c="dimmed" ff="monospace">
          {id}
        </Text>
      </>
    ),
  },
  { title: 'State', width: 145, onPhone: 'corner', cell: (token) => <StatusBadge status={stateOf(token)} /> },
  { title: 'Last used', width: 90, cell: ({ last_used: at }) => <Time at={at} /> },
  { title: 'Expires', width: 90, cell: ({ expires_at: at }) => <Time at={at} /> },
  { title: '', width: 150, cell: (token) => <TokenActions token={token} /> },
];

function stateOf({ is_active: isActive, expires_at: at }: Token): Status {
  if (!isActive) return { tone: 'warning', text: 'Disabled', icon: IconBan };
  const left = at - Date.now();
  if (at === 0 || left > SOON_MS) return { tone: 'good', text: 'Active' };
  return left > 0
    ? { tone: 'warning', text: 'Expires soon', icon: IconClock }
    : { tone: 'bad', text: 'Expired', icon: IconClock };
}

/** Tokens of all accounts. */
export function AllTokens({ term }: { readonly term: string }): ReactNode {
  const settled = useSettled(term);
  const query = useInfiniteQuery({ ...tokens(settled), placeholderData: keepPreviousData });
  const rows = query.data?.pages.flat();
  const nameOf = useUsernames(rows?.map(({ user_id: id }) => id) ?? []);
  const owner: Column<Token> = {
    title: 'Owner',
    width: 220,
    cell: ({ user_id: userId }) => (
      <NameCell name={nameOf(userId)}>
        <NameLink to="/people/$userId" params={{ userId }}>
          {nameOf(userId)}
        </NameLink>
      </NameCell>
    ),
  };
  return (
    <Loaded query={query}>
      {() => (
        <>
          <DataTable
            label="Access tokens"
            columns={[owner, ...COLUMNS]}
            rows={rows}
            keyOf={({ id }) => id}
            empty={<Empty icon={IconKey} text={settled === '' ? NONE : 'No tokens match this search.'} />}
          />
          <More query={query} />
        </>
      )}
    </Loaded>
  );
}

interface TokensProps {
  readonly userId: string;
}

/** Tokens of an account, and a form to create one. */
export function Tokens({ userId }: TokensProps): ReactNode {
  const query = useQuery(tokensOf(userId));
  return (
    <Section
      title="Tokens"
      actions={
        <DialogButton label="Create token" title="Create a token">
          {() => <NewToken userId={userId} />}
        </DialogButton>
      }
    >
      <Loaded query={query}>
        {(rows) => (
          <DataTable
            label="Tokens"
            columns={COLUMNS}
            rows={rows}
            keyOf={({ id }) => id}
            empty="No tokens yet. A program signs in with a token instead of a password."
          />
        )}
      </Loaded>
    </Section>
  );
}

function NewToken({ userId }: TokensProps): ReactNode {
  const [values, setValues] = useState({ description: '' });
  const [expires, setExpires] = useState('');
  const [token, setToken] = useState('');
  const create = async (): Promise<void> => {
    const body = { ...values, expires_at: expiryOf(expires) };
    const params = { path: { user_id: userId } };
    const made = await answerOf(api.POST('/api/v4/users/{user_id}/tokens', { params, body }));
    setToken(made.token ?? '');
    await reload();
  };
  if (token !== '')
    return (
      <>
        <Alert role="status" color="yellow" icon={<IconAlertTriangle aria-hidden />} mb="sm">
          Copy the token now. It is shown only once.
        </Alert>
        <Code label="the token" text={token} />
      </>
    );
  const description = { label: 'Description', placeholder: 'Build server', required: true, maxLength: 255 };
  return (
    <Form action="Create token" onSubmit={create}>
      <TextFields fields={{ description }} values={values} onChange={setValues} />
      <ExpiryField
        hint="The token is refused from then on. Its user is reminded a week and a day before."
        value={expires}
        onChange={setExpires}
      />
    </Form>
  );
}

/** Disables a token for a while, or revokes it for good. */
function TokenActions({ token }: { readonly token: Token }): ReactNode {
  const call = (what: 'enable' | 'disable' | 'revoke') => async (): Promise<void> => {
    await answerOf(api.POST(`/api/v4/users/tokens/${what}`, { body: { token_id: token.id } }));
    await reload();
  };
  return (
    <RowActions>
      {token.is_active ? (
        <Undoable
          isSmall
          label="Disable"
          done="The token is refused now."
          act={call('disable')}
          undo={call('enable')}
        />
      ) : (
        <Undoable
          isSmall
          label="Enable"
          done="The token works again."
          act={call('enable')}
          undo={call('disable')}
        />
      )}
      <Confirm label="Revoke" title="Revoke this token?" isSmall isRisky onConfirm={call('revoke')}>
        <p>The program that uses it is refused from now on. This cannot be undone.</p>
      </Confirm>
    </RowActions>
  );
}
