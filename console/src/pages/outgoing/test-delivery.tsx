import { OneOf } from '../../parts/one-of';
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { isSuccess, describeOutcome } from '../deliveries/error-classes';
import { Reply } from '../deliveries/reply';
import { headerLines } from '../deliveries/texts';
import type { OutgoingHook } from './outgoing-queries';

/** Makes the server send a test call and shows the details. Posts nothing. */
export function TestDelivery({ hook }: { readonly hook: OutgoingHook }): ReactNode {
  const [chosen, setChosen] = useState('');
  const [first = ''] = hook.callback_urls;
  const url = hook.callback_urls.includes(chosen) ? chosen : first; // the URLs may have been edited
  const [text, setText] = useState(hook.trigger_words[0] ?? 'test');
  const [tested, setTested] = useState<Schemas['TestedDto'] | null>(null);
  const test = async (): Promise<void> => {
    setTested(null);
    const body = { callback_url: url, text };
    setTested(
      await answerOf(
        api.POST('/api/v4/hooks/outgoing/{hook_id}/test', { params: { path: { hook_id: hook.id } }, body }),
      ),
    );
  };
  return (
    <>
      <Form action="Call it now" onSubmit={test}>
        <Field name="callback_url" label="URL">
          <OneOf choices={hook.callback_urls} value={url} onChange={setChosen} />
        </Field>
        <Field
          name="text"
          label="Message"
          hint="This calls the program once. Its response is shown here and not posted."
        >
          <TextInput value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
      </Form>
      {tested && <Seen tested={tested} />}
    </>
  );
}

function Seen({ tested: { request, response } }: { readonly tested: Schemas['TestedDto'] }): ReactNode {
  return (
    <div className="split">
      <div role="status">
        <h2>
          <Badge tone={isSuccess(response) ? 'good' : 'bad'}>{describeOutcome(response)}</Badge> in{' '}
          {response.duration_ms} ms
        </h2>
        {response.status_code > 0 && response.body === '' && <p className="muted">The response is empty.</p>}
        {response.note !== '' && <p>{response.note}</p>}
        <Reply headers={response.headers} body={response.body} />
      </div>
      {request ? (
        <div>
          <h2>Sent</h2>
          <Code
            label="the request"
            text={`${request.method} ${request.url}\n${headerLines(request.headers)}\n\n${request.body}`}
          />
        </div>
      ) : (
        <div>
          <h2>Not sent</h2>
          <p className="muted">The request never left this server.</p>
        </div>
      )}
    </div>
  );
}
