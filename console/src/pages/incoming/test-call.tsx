import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { incomingHookRoute } from '../../app/router';
import { Code } from '../../parts/code';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { addressOf, type IncomingHook, keptCall } from './incoming-queries';
import { Preview } from './preview';
import { SAMPLES } from './samples';

const JSON_TYPE = 'application/json';
const OWN = 'The call that came in';

interface TestCallProps {
  readonly hook: IncomingHook;
}

/** Sends a payload as a program would, and shows beside it what it makes. A call that was kept can be mended here. */
export function TestCall({ hook }: TestCallProps): ReactNode {
  const { call } = incomingHookRoute.useSearch();
  return call === undefined ? <Test hook={hook} type={JSON_TYPE} /> : <Mend hook={hook} callId={call} />;
}

function Mend({ hook, callId }: TestCallProps & { readonly callId: string }): ReactNode {
  const query = useQuery(keptCall(hook.id, callId));
  return (
    <Loaded query={query}>
      {({ body, headers }) => (
        <Test key={callId} hook={hook} body={body} type={String(headers['content-type'] ?? JSON_TYPE)} />
      )}
    </Loaded>
  );
}

interface TestProps extends TestCallProps {
  /** What came in; without it there are samples. */
  readonly body?: string;
  readonly type: string;
}

function Test({ hook, body, type: came }: TestProps): ReactNode {
  const [sample, setSample] = useState(body === undefined ? 'Mattermost' : OWN);
  const [text, setText] = useState(() => body ?? pretty(SAMPLES['Mattermost']));
  const type = sample === OWN ? came : JSON_TYPE;
  const [answer, setAnswer] = useState('');
  const choose = (name: string): void => {
    setSample(name);
    setText(name === OWN && body !== undefined ? body : pretty(SAMPLES[name]));
  };
  const send = async (): Promise<void> => {
    setAnswer('');
    await post(hook.id, text, type);
    setAnswer('Sent. The message is in the channel.');
  };
  return (
    <div className="split">
      <Form
        action="Post it"
        onSubmit={send}
        extra={
          <span role="status" className="muted">
            {answer}
          </span>
        }
      >
        <Field label="Sample">
          <select value={sample} onChange={({ target }) => choose(target.value)}>
            {body !== undefined && <option>{OWN}</option>}
            {Object.keys(SAMPLES).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field
          label="Payload"
          hint={`Sent as ${type}. It makes a real message, which the channel sees.`}
          name="payload"
        >
          <textarea
            className="payload"
            rows={14}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
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

/** As a program does: without the session, so that what it says is what programs are told. */
async function post(hookId: string, text: string, type: string): Promise<void> {
  const response = await fetch(addressOf(hookId), {
    method: 'POST',
    headers: { 'Content-Type': type },
    credentials: 'omit',
    body: text,
  }).catch(() => {
    throw new Error('The server cannot be reached.');
  });
  if (!response.ok) throw new Error(messageIn(await response.text()));
}

function messageIn(reply: string): string {
  try {
    return (JSON.parse(reply) as { message?: string }).message ?? reply;
  } catch {
    return reply;
  }
}

const pretty = (sample: object | undefined): string => JSON.stringify(sample, null, 2);

function commandFor(hookId: string, text: string, type: string): string {
  return `curl -H 'Content-Type: ${quoted(type)}' --data-raw '${quoted(compact(text))}' ${addressOf(hookId)}`;
}

/** Within single quotes of a shell. */
const quoted = (text: string): string => text.replaceAll("'", "'\\''");

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
