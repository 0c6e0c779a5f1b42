import { Box, Button, Select, SimpleGrid, Text, Textarea, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/client';
import { incomingHookRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Code } from '../../parts/code';
import { useDraft } from '../../parts/drafts';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { useUsernames } from '../../parts/usernames';
import { curlOf } from '../deliveries/curl';
import { mayBeChanged } from './calls';
import { Editor } from './editor';
import { FormatFields } from './hook-fields';
import { addressOf, type HookProps, keptCall, keptCalls, patchHook } from './incoming-queries';
import { Messages, usePreview } from './preview';
import { type Sample, samplesOf } from './samples';
import { headersIn, headersOfPayload, jsonFaultIn, post } from './test-payload';

const OWN = 'The received call';
const CALL = 'call:';

/** Sends a payload as a program would, next to a live preview. A kept call can be edited here. */
export function TestCall({ hook }: HookProps): ReactNode {
  const { call } = incomingHookRoute.useSearch();
  return call === undefined ? <Test hook={hook} /> : <EditCall key={call} hook={hook} callId={call} />;
}

function EditCall({ hook, callId }: HookProps & { readonly callId: string }): ReactNode {
  const query = useQuery(keptCall(hook.id, callId));
  return (
    <Loaded query={query}>
      {(call) =>
        mayBeChanged(call) ? (
          <Test
            hook={hook}
            callId={callId}
            own={{ body: call.body, headers: headersOfPayload(call.headers) }}
          />
        ) : (
          <p className="muted">
            The body of this call is not plain text, so it cannot be edited. It can be replayed under “Calls”.
          </p>
        )
      }
    </Loaded>
  );
}

/** An object that is kept when the user leaves and returns. */
function useKept<T extends object>(key: string, first: T) {
  const [draft, setDraft] = useDraft(key);
  const kept = draft === '' ? first : (JSON.parse(draft) as T);
  const change = (changed: Partial<T>): void => setDraft(JSON.stringify({ ...kept, ...changed }));
  return [kept, change, () => setDraft('')] as const;
}

type Texts = Readonly<Record<string, string>>;
/** The last chosen sample, and what was edited in each. */
const NOTHING = { chosen: '', bodies: {} as Texts, headers: {} as Texts };

interface TestProps extends HookProps {
  /** The kept call to edit; if undefined, it is one of the samples. */
  readonly callId?: string;
  readonly own?: Sample;
}

function Test({ hook, callId = '', own }: TestProps): ReactNode {
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState('');
  const { id: hookId, format, template, verifier } = hook;
  const [reading, read, resetReading] = useKept(`reading.${hookId}`, { format, template });
  const [edited, edit] = useKept(`payloads.${hookId}.${callId}`, NOTHING);
  const otherCalls = useOtherCalls(hookId, callId);
  const nameOf = useUsernames([hook.user_id]);
  const origins: Readonly<Record<string, Sample>> = {
    ...(own && { [OWN]: own }),
    ...samplesOf(reading.format),
  };
  const sample = edited.chosen in origins ? edited.chosen : (Object.keys(origins)[0] ?? '');
  const origin = origins[sample] ?? { headers: '', body: '' };
  const { [sample]: text = origin.body, ...bodies } = edited.bodies;
  const { [sample]: headerText = origin.headers, ...headers } = edited.headers;
  const call = { text, headers: headersIn(headerText) };
  const { data: preview, error } = usePreview(hookId, call, reading);
  const isJson = reading.format !== 'template' && call.headers['content-type']?.includes('json');
  const fault = isJson ? jsonFaultIn(text) : undefined;
  const change = reading.format === 'template' ? reading : { format: reading.format };
  const isReadingChanged = reading.format !== format || (change === reading && reading.template !== template);
  const choose = (chosen: string): void => {
    const [, other] = chosen.split(CALL);
    if (other === undefined) edit({ chosen });
    else void navigate({ to: '.', search: { tab: 'test', call: other } });
  };
  const saveFormat = async (): Promise<void> => {
    await patchHook(hookId, change);
    resetReading();
  };
  const send = async (): Promise<void> => {
    setOutcome('');
    setOutcome(await post(hookId, call));
    await queries.invalidateQueries({ queryKey: ['incoming', hookId], exact: true }); // last-used time
  };
  const undo = (text !== origin.body || headerText !== origin.headers) && (
    <Button variant="default" onClick={() => edit({ bodies, headers })}>
      Undo the changes
    </Button>
  );
  const fields = (
    <>
      <Field label="Sample">
        <Select
          allowDeselect={false}
          data={[...Object.keys(origins), ...otherCalls]}
          value={sample}
          onChange={(chosen) => chosen !== null && choose(chosen)}
        />
      </Field>
      {(own !== undefined || reading.format !== 'mattermost') && (
        <Field label="Headers, one per line">
          <Textarea
            classNames={{ input: 'payload' }}
            autosize
            spellCheck={false}
            value={headerText}
            onChange={({ target }) => edit({ headers: { ...headers, [sample]: target.value } })}
          />
        </Field>
      )}
      <Field
        label="Payload"
        hint={
          verifier
            ? 'It is only previewed: this page cannot prove that a call comes from the sender.'
            : `Sent as ${call.headers['content-type']}. This posts a real message to the channel.`
        }
        name="payload"
      >
        <Editor
          faultyLine={fault?.line}
          value={text}
          onChange={(changed) => edit({ bodies: { ...bodies, [sample]: changed } })}
        />
      </Field>
      {fault && (
        <Text size="sm" c="red" mb="sm">
          Line {fault.line}: {fault.reason}
        </Text>
      )}
    </>
  );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <div>
        <FormatFields
          {...reading}
          onChange={read}
          faultyLine={Number(/\bline:(\d+)/.exec(error?.message ?? '')?.[1]) || undefined}
        />
        {isReadingChanged && (
          <Form
            action="Save the format"
            isPart
            isKept
            onSubmit={saveFormat}
            extra={
              <Button variant="default" onClick={resetReading}>
                Discard
              </Button>
            }
          >
            <p className="muted">The preview uses this format. Calls use the saved one.</p>
          </Form>
        )}
        {verifier ? (
          <>
            {fields}
            {undo}
          </>
        ) : (
          <Form
            action="Send test"
            isKept
            onSubmit={send}
            // a 400 is always about the payload, however it is worded
            explain={(failure) =>
              failure instanceof ApiError && failure.status === 400 ? { field: 'payload' } : undefined
            }
            extra={
              <>
                {undo}
                <Text size="sm" c="dimmed" role="status">
                  {outcome}
                </Text>
              </>
            }
          >
            {fields}
          </Form>
        )}
      </div>
      <Box pos="sticky" top={68} style={{ alignSelf: 'start' }}>
        <Title order={2} m={0} mb="xs">
          Preview
        </Title>
        <Messages preview={preview} error={error} author={nameOf(hook.user_id)} />
        {!verifier && (
          <>
            <Title order={2} mt="lg" mb="xs">
              cURL
            </Title>
            <Code
              label="the command"
              secret={hookId}
              text={curlOf({ method: 'POST', url: addressOf(hookId), headers: call.headers, body: text })}
            />
          </>
        )}
      </Box>
    </SimpleGrid>
  );
}

/** The other kept calls that can be tried. */
function useOtherCalls(hookId: string, callId: string) {
  const { data = [] } = useQuery(keptCalls(hookId));
  const items = data
    .filter(({ id, is_cut: isCut }) => !isCut && id !== callId)
    .map(({ id, status, create_at: at }) => ({
      value: `${CALL}${id}`,
      label: `${status}, ${new Date(at).toLocaleString()}`,
    }));
  return items.length === 0 ? [] : [{ group: 'Kept calls', items }];
}
