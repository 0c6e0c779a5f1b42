import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Copy } from '../../parts/copy';
import { Countdown } from '../../parts/countdown';
import { Form } from '../../parts/form';
import type { OutgoingHook } from './outgoing-queries';

interface ReplaceSecretProps {
  readonly hookId: string;
  readonly onDone: () => void;
}

/** Replaces the secrets after confirmation, and shows until when the old one is valid. */
export function ReplaceSecret({ hookId, onDone }: ReplaceSecretProps): ReactNode {
  const [replaced, setReplaced] = useState<OutgoingHook | null>(null);
  const replace = async (): Promise<void> => {
    const path = { hook_id: hookId };
    setReplaced(
      await answerOf(api.POST('/api/v4/hooks/outgoing/{hook_id}/regen_token', { params: { path } })),
    );
    await queries.invalidateQueries({ queryKey: ['outgoing', hookId] });
  };
  if (!replaced)
    return (
      <Form action="Replace" onSubmit={replace} isDangerous>
        <p>
          Receivers need the new secrets. The old token stops working at once. The old signing secret keeps
          signing together with the new one for a while; you will see here for how long.
        </p>
      </Form>
    );
  const { signing_secret: secret, token, previous_secret_until: until } = replaced;
  return (
    <Stack gap="sm" fz="sm">
      <div role="status">The secrets were replaced. Give the receivers the new ones.</div>
      <Group gap="xs">
        <Copy text={secret} label="Copy the new signing secret" caption="Copy the new signing secret" />
        <Copy text={token} label="Copy the new token" caption="Copy the new token" />
      </Group>
      <div>
        The old signing secret{' '}
        {until > Date.now() ? (
          <>
            still signs <OldSecret until={until} />
          </>
        ) : (
          'no longer signs'
        )}
        .
      </div>
      <div>
        <Button autoFocus onClick={onDone}>
          Done
        </Button>
      </div>
    </Stack>
  );
}

/** How long the old secret still signs, and until when. */
export function OldSecret({ until }: { readonly until: number }): ReactNode {
  return (
    <>
      <Countdown until={until} before="for" over="no longer" />
      <span className="muted">, until {new Date(until).toLocaleString()}</span>
    </>
  );
}
