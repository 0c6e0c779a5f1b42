import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, type Schemas } from '../../api/client';
import { fetchInTime } from '../../api/fetch-in-time';
import { incomingHookRoute } from '../../app/router';
import { queries } from '../../app/services';
import { Code } from '../../parts/code';
import { Field } from '../../parts/field';
import { type Explanation, Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { addressOf, type IncomingHook, keptCall } from './incoming-queries';
import { Preview } from './preview';
import { SAMPLES } from './samples';
import { usePayloads } from './use-payloads';

const JSON_TYPE = 'application/json';
const OWN = 'The received call';

interface TestCallProps {
  readonly hook: IncomingHook;
}

/** Sends a payload as a program would, next to a live preview. A stored call can be edited here. */
export function TestCall({ hook }: TestCallProps): ReactNode {
  const { call } = incomingHookRoute.useSearch();
  return call === undefined ? <Test hook={hook} type={JSON_TYPE} /> : <EditCall hook={hook} callId={call} />;
}

function EditCall({ hook, callId }: TestCallProps & { readonly callId: string }): ReactNode {
  const query = useQuery(keptCall(hook.id, callId));
  return (
    <Loaded query={query}>
      {({ body, headers }) => (
        <Test
          key={callId}
          hook={hook}
          callId={callId}
          body={body}
          type={String(headers['content-type'] ?? JSON_TYPE)}
        />
      )}
    </Loaded>
  );
}

interface TestProps extends TestCallProps {
  /** The stored call to edit, and its body; if undefined, only samples are offered. */
  readonly callId?: string;
  readonly body?: string;
  readonly type: string;
}

function Test({ hook, callId = '', body, type: came }: TestProps): ReactNode {
  const payloads = usePayloads(`${hook.id}.${callId}`);
  const origins = body === undefined ? SAMPLES : { [OWN]: body, ...SAMPLES };
  const sample = payloads.chosen in origins ? payloads.chosen : (Object.keys(origins)[0] ?? '');
  const origin = origins[sample] ?? '';
  const text = payloads.changed[sample] ?? origin;
  const type = sample === OWN ? came : JSON_TYPE;
  const [answer, setAnswer] = useState('');
  const send = async (): Promise<void> => {
    setAnswer('');
    await post(hook.id, text, type);
    setAnswer('Sent. The message is in the channel.');
    await queries.invalidateQueries({ queryKey: ['incoming', hook.id], exact: true }); // last-used time
  };
  return (
    <div className="split">
      <Form
        action="Post it"
        onSubmit={send}
        explain={ofPayload}
        extra={
          <>
            {text !== origin && (
              <button type="button" onClick={() => payloads.change(sample, undefined)}>
                Undo the changes
              </button>
            )}
            <span role="status" className="muted">
              {answer}
            </span>
          </>
        }
      >
        <Field label="Sample" hint="Changes are kept when you choose another sample.">
          <select value={sample} onChange={({ target }) => payloads.choose(target.value)}>
            {Object.keys(origins).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field
          label="Payload"
          hint={`Sent as ${type}. This posts a real message to the channel.`}
          name="payload"
        >
          <textarea
            className="payload"
            rows={14}
            spellCheck={false}
            value={text}
            onChange={({ target }) =>
              payloads.change(sample, target.value === origin ? undefined : target.value)
            }
          />
        </Field>
      </Form>
      <div>
        <h2>What it posts</h2>
        <Preview hookId={hook.id} text={text} type={type} />
        <h2>The same as a command</h2>
        <Code label="the command" secret={hook.id} text={commandFor(hook.id, text, type)} />
      </div>
    </div>
  );
}

/** A 400 response is always about the payload, however it is worded. */
const ofPayload = (error: Error): Explanation | undefined =>
  error instanceof ApiError && error.status === 400 ? { field: 'payload' } : undefined;

/** Posts without the session, as a program does, so that errors match what programs get. */
async function post(hookId: string, text: string, type: string): Promise<void> {
  const request = new Request(new URL(`hooks/${hookId}`, document.baseURI), {
    method: 'POST',
    headers: { 'Content-Type': type },
    credentials: 'omit',
    body: text,
  });
  const response = await fetchInTime(request);
  if (!response.ok) throw errorOf(response, await response.text());
}

function errorOf({ status, headers }: Response, reply: string): ApiError {
  const { message = reply, id = '', request_id: requestId } = decoded(reply);
  return new ApiError(message, status, id, requestId ?? headers.get('x-request-id') ?? '');
}

function decoded(reply: string): Partial<Schemas['ErrorDto']> {
  try {
    return JSON.parse(reply) as Partial<Schemas['ErrorDto']>;
  } catch {
    return {};
  }
}

function commandFor(hookId: string, text: string, type: string): string {
  return `curl -H 'Content-Type: ${quoted(type)}' --data-raw '${quoted(compact(text))}' ${addressOf(hookId)}`;
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
