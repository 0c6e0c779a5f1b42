import { Checkbox, Code, Fieldset, Group, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Countdown } from '../../parts/countdown';
import { type Column, DataTable } from '../../parts/data-table';
import { DialogButton } from '../../parts/dialog-button';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { OneOf } from '../../parts/one-of';
import { Time } from '../../parts/time';
import { showDone } from '../../parts/undo';
import { KeepInput } from '../../parts/use-dialog';
import {
  type HookProps,
  incomingHook,
  of,
  patchHook,
  type PreviousUrl,
  previousUrls,
} from './incoming-queries';
import { SecretField, VerifierFields } from './verifier-fields';
import { choiceOf, describeVerifier, draftOf, secretLabel, verifierChange } from './verifiers';

/** The secrets of a webhook: its URL, and what else proves calls. */
export function Security({ hook }: HookProps): ReactNode {
  const previous = useQuery(previousUrls(hook.id));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Fieldset legend="Verification">
        <Verification key={hook.update_at} hook={hook} />
      </Fieldset>
      <Fieldset legend="URL">
        <Text size="sm" mb="sm">
          Rotate the URL if it has leaked. Programs that use a previous one need the current one before theirs
          stops working.
        </Text>
        <DialogButton label="Rotate the URL" title="Rotate the URL?" isRisky>
          {() => <RotateUrl hook={hook} />}
        </DialogButton>
        <Loaded query={previous}>
          {(urls) => (
            <DataTable
              label="Previous URLs"
              columns={PREVIOUS}
              rows={urls}
              keyOf={({ id }) => id}
              empty={<p className="muted">No previous URL works.</p>}
            />
          )}
        </Loaded>
      </Fieldset>
    </SimpleGrid>
  );
}

/** Enough of a URL to recognise it. */
const SHOWN = 4;

const PREVIOUS: readonly Column<PreviousUrl>[] = [
  { title: 'Previous URL', cell: ({ id }) => <Code>…{id.slice(-SHOWN)}</Code> },
  { title: 'Replaced', cell: ({ create_at: at }) => <Time at={at} /> },
  { title: 'Stops working', cell: ({ expires_at: at }) => <Time at={at} /> },
  { title: 'Uses since', isNumber: true, cell: ({ uses }) => uses.toLocaleString() },
  { title: 'Last used', isNumber: true, cell: ({ last_used: at }) => <Time at={at} /> },
];

function Verification({ hook }: HookProps): ReactNode {
  const { verifier } = hook;
  const oldUntil = verifier?.previous_secret_expires_at ?? 0;
  const [before] = useState(() => draftOf(verifier));
  const [draft, setDraft] = useState(before);
  const save = async (): Promise<void> => {
    await patchHook(hook.id, verifierChange(before, draft));
    showDone('Verification saved.');
  };
  return (
    <>
      {verifier && (
        <Text size="sm" mb="md">
          Calls are verified. They need {describeVerifier(verifier)}.
        </Text>
      )}
      {verifier && verifier.type !== 'ip' && (
        <Group mb="md">
          <DialogButton label="Replace the secret" title="Replace the secret" kind="small">
            {(close) => <NewSecret hook={hook} onDone={close} />}
          </DialogButton>
          {oldUntil > Date.now() && (
            <Text size="sm">
              The old secret is still valid <Countdown until={oldUntil} before="for" over="no longer" />,
              until {new Date(oldUntil).toLocaleString()}
            </Text>
          )}
        </Group>
      )}
      <KeepInput>
        <Form action="Save" onSubmit={save}>
          <VerifierFields draft={draft} isStored={draft.choice === before.choice} onChange={setDraft} />
        </Form>
      </KeepInput>
    </>
  );
}

function NewSecret({
  hook: { id, verifier },
  onDone,
}: HookProps & { readonly onDone: () => void }): ReactNode {
  const [secret, setSecret] = useState('');
  const [isOldKept, setOldKept] = useState(true);
  const replace = async (): Promise<void> => {
    await patchHook(id, { verifier: { ...verifier, secret, rotate: isOldKept } });
    onDone();
  };
  return (
    <Form action="Replace" onSubmit={replace}>
      <SecretField name={secretLabel(choiceOf(verifier)) ?? ''} value={secret} onChange={setSecret} />
      <Field
        label="Accept the old one too, until the sender has the new one"
        hint={isOldKept ? 'The page then shows until when.' : 'The old one is invalid at once.'}
      >
        <Checkbox checked={isOldKept} onChange={({ target }) => setOldKept(target.checked)} />
      </Field>
    </Form>
  );
}

/** How long the old URL works, in seconds; empty for the default of the server. */
const OVERLAPS: Readonly<Record<string, string>> = {
  '': 'for as long as the server is set to',
  '0': 'no longer: it stops at once',
  '3600': 'for an hour',
  '86400': 'for a day',
  '604800': 'for a week',
  '2592000': 'for 30 days',
};

/** Gives a webhook a new URL after confirmation, and opens its page, whose address is new too. */
function RotateUrl({ hook }: HookProps): ReactNode {
  const navigate = useNavigate();
  const [overlap, setOverlap] = useState('');
  const rotate = async (): Promise<void> => {
    const rotated = await answerOf(
      api.POST('/api/v4/hooks/incoming/{hook_id}/rotate_url', {
        ...of(hook.id),
        body: overlap === '' ? {} : { overlap_seconds: Number(overlap) },
      }),
    );
    queries.setQueryData(incomingHook(rotated.id).queryKey, rotated);
    const params = { hookId: rotated.id };
    await navigate({ to: '/incoming/$hookId', params, search: { tab: 'security' }, replace: true });
    queries.removeQueries({ queryKey: ['incoming', hook.id] });
    await queries.invalidateQueries({ queryKey: ['incoming'] }); // lists have the old id
  };
  return (
    <Form action="Rotate" onSubmit={rotate} isDangerous>
      <Text size="sm" mb="sm">
        The webhook gets a new URL, which the programs that post to it need. Its settings, messages and Slack
        or Rocket.Chat path stay.
      </Text>
      <Field name="overlap_seconds" label="The old URL works" hint="Earlier ones work no longer than that.">
        <OneOf choices={OVERLAPS} value={overlap} onChange={setOverlap} />
      </Field>
    </Form>
  );
}
