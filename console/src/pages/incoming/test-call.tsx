import { type ReactNode, useState } from 'react';
import { Code } from '../../parts/code';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { PostContent } from '../../parts/post-content';
import { addressOf, type IncomingHook } from './incoming-queries';
import { SAMPLES } from './samples';

/** Sends a payload as a program would, and shows the message beside it. */
export function TestCall({ hook }: { readonly hook: IncomingHook }): ReactNode {
  const [text, setText] = useState(() => JSON.stringify(SAMPLES['Mattermost'], null, 2));
  const [answer, setAnswer] = useState('');
  const send = async (): Promise<void> => {
    setAnswer('');
    const response = await fetch(addressOf(hook.id), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: text,
    });
    const reply = await response.text();
    if (!response.ok) throw new Error(messageIn(reply));
    setAnswer('Sent. The message is in the channel.');
  };
  return (
    <div className="split">
      <Form
        action="Send"
        onSubmit={send}
        extra={
          <span role="status" className="muted">
            {answer}
          </span>
        }
      >
        <Field label="Sample">
          <select onChange={({ target }) => setText(JSON.stringify(SAMPLES[target.value], null, 2))}>
            {Object.keys(SAMPLES).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label="Payload" fault={faultIn(text)}>
          <textarea
            rows={14}
            spellCheck={false}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
      </Form>
      <div>
        <h2>Preview</h2>
        <Preview text={text} />
        <h2>The same as a command</h2>
        <Code
          label="the command"
          secret={hook.id}
          text={`curl -H 'Content-Type: application/json' -d '${compact(text).replaceAll("'", "'\\''")}' ${addressOf(hook.id)}`}
        />
      </div>
    </div>
  );
}

function Preview({ text }: { readonly text: string }): ReactNode {
  try {
    const { text: message = '', attachments = [] } = JSON.parse(text) as {
      text?: string;
      attachments?: object[];
    };
    return <PostContent message={String(message)} props={{ attachments }} />;
  } catch {
    return <p className="muted">The payload is no JSON yet.</p>;
  }
}

function faultIn(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function messageIn(reply: string): string {
  try {
    return (JSON.parse(reply) as { message?: string }).message ?? reply;
  } catch {
    return reply;
  }
}
