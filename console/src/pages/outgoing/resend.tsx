import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DialogButton } from '../../parts/dialog-button';
import { useDraft } from '../../parts/drafts';
import { FaultNote } from '../../parts/fault-note';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { fromLocal, toLocal } from '../../parts/local-time';
import { showDone, showFault } from '../../parts/undo';
import { describeMissed, RecoveryProgress } from './recovery-progress';
import {
  recoveriesOf,
  type Recovery,
  resendMissed,
  type ResendScope,
  retryWaiting,
  stopRecovery,
} from './recovery-requests';

const DAY_MS = 86_400_000;

/** Resends what a webhook or an endpoint missed or what waits, with its progress. */
export function Resend({ of }: { readonly of: ResendScope }): ReactNode {
  const client = useQueryClient();
  const isOfHook = 'hookId' in of;
  const [started, keep] = useDraft(`recovery ${isOfHook ? of.hookId : of.endpoint}`); // it can be stopped after a reload
  const query = recoveriesOf(of);
  const { data: known = [], error } = useQuery({ ...query, enabled: isOfHook || started !== '' });
  const latest = known.find(({ id }) => isOfHook || id === started);
  const refresh = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: query.queryKey });
    await client.invalidateQueries({ queryKey: ['deliveries'] });
  };
  const retry = async (): Promise<void> => {
    const { id, total } = await retryWaiting(of);
    keep(id);
    showDone(total === 0 ? 'No deliveries are waiting.' : `Retrying ${total} waiting deliveries.`);
    await refresh();
  };
  return (
    <Stack gap="xs">
      {error && <FaultNote error={error} />}
      {latest && (
        <RecoveryProgress
          {...latest}
          onStop={async () => {
            await stopRecovery(latest);
            await refresh();
          }}
        />
      )}
      {latest?.status !== 'running' && (
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            onClick={() => void retry().catch(showFault)}
          >
            Retry all waiting now
          </Button>
          <DialogButton label="Resend missed deliveries…" title="Resend missed deliveries">
            {(close) => (
              <Order
                of={of}
                onOrdered={async ({ id }) => {
                  keep(id);
                  await refresh();
                  close();
                }}
              />
            )}
          </DialogButton>
        </Group>
      )}
    </Stack>
  );
}

interface OrderProps {
  readonly of: ResendScope;
  readonly onOrdered: (recovery: Recovery) => Promise<void>;
}

/** Asks for a start time, shows the exact count, and resends after confirmation. */
function Order({ of, onOrdered }: OrderProps): ReactNode {
  const [since, setSince] = useState(() => toLocal(Date.now() - DAY_MS));
  const [counted, setCounted] = useState<(Recovery & { readonly asked: string }) | null>(null);
  const found = counted?.asked === since ? counted : null;
  const at = fromLocal(since) ?? 0;
  const preview = async (): Promise<void> => {
    setCounted({ ...(await resendMissed(of, at, true)), asked: since });
  };
  return (
    <>
      <Form action="Preview" onSubmit={preview}>
        <Field name="since" label="Missed since">
          <TextInput
            type="datetime-local"
            step={1}
            required
            value={since}
            onChange={({ target }) => setSince(target.value)}
          />
        </Field>
      </Form>
      {found?.total === 0 && <p role="status">Nothing was missed since then.</p>}
      {found && found.total > 0 && (
        <Form
          action={`Resend ${found.total}`}
          onSubmit={async () => onOrdered(await resendMissed(of, at, false))}
        >
          <Text size="sm" my="sm" role="status">
            {describeMissed(found)} New deliveries go first.
          </Text>
        </Form>
      )}
    </>
  );
}
