import { Button, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError, type Schemas } from '../../api/client';
import { fetchInTime } from '../../api/fetch-in-time';
import { incomingHookRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Code } from '../../parts/code';
import { Field } from '../../parts/field';
import { type Explanation, Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { headersIn, headersOfPayload } from './headers';
import { addressOf, type IncomingHook, keptCall, keptCalls } from './incoming-queries';
import { Preview, type Sent } from './preview';
import { mayBeChanged } from './replay';
import { type Sample, samplesOf } from './samples';
import { TryFormat } from './try-format';
import { usePayloads } from './use-payloads';
import { useReading } from './use-reading';

const OWN = 'The received call';

interface TestCallProps {
  readonly hook: IncomingHook;
}

/** Sends a payload as a program would, next to a live preview. A stored call can be edited here. */
export function TestCall({ hook }: TestCallProps): ReactNode {
  const { call } = incomingHookRoute.useSearch();
  return call === undefined ? <Test hook={hook} /> : <EditCall key={call} hook={hook} callId={call} />;
}

function EditCall({ hook, callId }: TestCallProps & { readonly callId: string }): ReactNode {
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

interface TestProps extends TestCallProps {
  /** The stored call to edit; if undefined, it is one of the samples. */
  readonly callId?: string;
  readonly own?: Sample;
}

function Test({ hook, callId = '', own }: TestProps): ReactNode {
  const navigate = useNavigate();
  const reading = useReading(hook);
  const payloads = usePayloads(`${hook.id}.${callId}`);
  const [changedHeaders, setHeaders] = useState<Readonly<Record<string, string>>>({});
  const otherCalls = useOtherCalls(hook.id, callId);
  const samples = samplesOf(reading.format);
  const origins = own ? { [OWN]: own, ...samples } : samples;
  const sample = payloads.chosen in origins ? payloads.chosen : (Object.keys(origins)[0] ?? '');
  const origin = origins[sample] ?? { headers: '', body: '' };
  const text = payloads.changed[sample] ?? origin.body;
  const headerText = changedHeaders[sample] ?? origin.headers;
  const headers = headersIn(headerText);
  const choose = (chosen: string): void => {
    const [, call] = chosen.split(CALL);
    if (call === undefined) payloads.choose(chosen);
    else void navigate({ to: '.', search: { tab: 'test', call } });
  };
  const undo = (): void => {
    payloads.change(sample, undefined);
    setHeaders({ ...changedHeaders, [sample]: origin.headers });
  };
  const isChanged = text !== origin.body || headerText !== origin.headers;
  return (
    <div className="split">
      <div>
        <TryFormat hook={hook} reading={reading} />
        <PostTest
          hook={hook}
          text={text}
          headers={headers}
          extra={
            isChanged && (
              <Button variant="default" size="xs" onClick={undo}>
                Undo the changes
              </Button>
            )
          }
        >
          <Field label="Sample" hint="Changes are kept when you choose another sample.">
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
                rows={2}
                spellCheck={false}
                value={headerText}
                onChange={({ target }) => setHeaders({ ...changedHeaders, [sample]: target.value })}
              />
            </Field>
          )}
          <Field
            label="Payload"
            hint={
              hook.verifier
                ? 'It is only previewed: this page cannot prove that a call comes from the sender.'
                : `Sent as ${headers['content-type']}. This posts a real message to the channel.`
            }
            name="payload"
          >
            <Textarea
              classNames={{ input: 'payload' }}
              rows={14}
              spellCheck={false}
              value={text}
              onChange={({ target }) =>
                payloads.change(sample, target.value === origin.body ? undefined : target.value)
              }
            />
          </Field>
          {reading.isChanged && !hook.verifier && (
            <p className="muted">The preview uses the new format. “Post it” uses the saved one.</p>
          )}
        </PostTest>
      </div>
      <div>
        <h2>What it posts</h2>
        <Preview
          hookId={hook.id}
          call={{ text, headers }}
          reading={{ format: reading.format, template: reading.template }}
        />
        {!hook.verifier && (
          <>
            <h2>The same as a command</h2>
            <Code label="the command" secret={hook.id} text={commandFor(hook.id, text, headers)} />
          </>
        )}
      </div>
    </div>
  );
}

interface PostTestProps extends TestCallProps, Sent {
  readonly extra: ReactNode;
  readonly children: ReactNode;
}

/** Posts the payload, unless calls are verified. */
function PostTest({ hook, text, headers, extra, children }: PostTestProps): ReactNode {
  const [answer, setAnswer] = useState('');
  if (hook.verifier)
    return (
      <>
        {children}
        <div className="actions">{extra}</div>
      </>
    );
  const send = async (): Promise<void> => {
    setAnswer('');
    setAnswer(await post(hook.id, { text, headers }));
    await queries.invalidateQueries({ queryKey: ['incoming', hook.id], exact: true }); // last-used time
  };
  return (
    <Form
      action="Post it"
      onSubmit={send}
      explain={ofPayload}
      extra={
        <>
          {extra}
          <span role="status" className="muted">
            {answer}
          </span>
        </>
      }
    >
      {children}
    </Form>
  );
}

const CALL = 'call:';

/** The other kept calls that can be tried. */
function useOtherCalls(hookId: string, callId: string) {
  const { data = [] } = useQuery(keptCalls(hookId));
  const others = data.filter(({ id, is_cut: isCut }) => !isCut && id !== callId);
  const items = others.map(({ id, status, create_at: at }) => ({
    value: `${CALL}${id}`,
    label: `${status}, ${new Date(at).toLocaleString()}`,
  }));
  return items.length === 0 ? [] : [{ group: 'Kept calls', items }];
}

/** A 400 response is always about the payload, however it is worded. */
const ofPayload = (error: Error): Explanation | undefined =>
  error instanceof ApiError && error.status === 400 ? { field: 'payload' } : undefined;

/** Posts without the session, as a program does, so that errors match what programs get. */
async function post(hookId: string, { text, headers }: Sent): Promise<string> {
  const request = new Request(new URL(`hooks/${hookId}?wait=true`, document.baseURI), {
    method: 'POST',
    headers,
    credentials: 'omit',
    body: text,
  });
  const response = await fetchInTime(request);
  const reply = await response.text();
  if (!response.ok) throw errorOf(response, reply);
  const { ignored } = decoded<Schemas['ExecutedDto']>(reply);
  return ignored === undefined
    ? 'Sent. The message is in the channel.'
    : `Accepted, but nothing was posted: ${ignored}.`;
}

function errorOf({ status, headers }: Response, reply: string): ApiError {
  const { message = reply, id = '', request_id: requestId } = decoded<Schemas['ErrorDto']>(reply);
  return new ApiError(message, status, id, requestId ?? headers.get('x-request-id') ?? '');
}

function decoded<T>(reply: string): Partial<T> {
  try {
    return JSON.parse(reply) as Partial<T>;
  } catch {
    return {};
  }
}

function commandFor(hookId: string, text: string, headers: Sent['headers']): string {
  const options = Object.entries(headers).map(([name, value]) => `-H '${quoted(`${name}: ${value}`)}'`);
  return `curl ${options.join(' ')} --data-raw '${quoted(compact(text))}' ${addressOf(hookId)}`;
}

/** Escapes a text for use within single quotes in a shell. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''");

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
