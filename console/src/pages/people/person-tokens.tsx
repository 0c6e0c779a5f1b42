import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Code } from '../../parts/code';
import { DialogButton } from '../../parts/dialog-button';
import { ExpiryField, expiryOf } from '../../parts/expiry-field';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { tokensOf } from './people-queries';
import { TokenTable } from './tokens';

interface PersonTokensProps {
  readonly userId: string;
}

/** Tokens of an account, and a form to create one. */
export function PersonTokens({ userId }: PersonTokensProps): ReactNode {
  const query = useQuery(tokensOf(userId));
  return (
    <section aria-label="Tokens">
      <div className="section-head">
        <h2>Tokens</h2>
        <DialogButton label="Add a token" title="Add a token">
          {() => <NewToken userId={userId} />}
        </DialogButton>
      </div>
      <Loaded query={query}>{(rows) => <TokenTable tokens={rows} />}</Loaded>
    </section>
  );
}

function NewToken({ userId }: PersonTokensProps): ReactNode {
  const [description, setDescription] = useState('');
  const [expires, setExpires] = useState('');
  const [token, setToken] = useState('');
  const make = async (): Promise<void> => {
    const made = await answerOf(
      api.POST('/api/v4/users/{user_id}/tokens', {
        params: { path: { user_id: userId } },
        body: { description, expires_at: expiryOf(expires) },
      }),
    );
    setToken(made.token ?? '');
    await queries.invalidateQueries({ queryKey: ['people'] });
  };
  if (token !== '')
    return (
      <>
        <p role="status">
          This is the token. It is shown <b>only once</b>: store it where the program reads its secrets.
        </p>
        <Code label="the token" text={token} />
      </>
    );
  return (
    <Form action="Create" onSubmit={make}>
      <Field name="description" label="Purpose">
        <TextInput
          autoFocus
          required
          maxLength={255}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
      </Field>
      <ExpiryField
        hint="The token is refused from then on. Its user is reminded a week and a day before."
        value={expires}
        onChange={setExpires}
      />
    </Form>
  );
}
