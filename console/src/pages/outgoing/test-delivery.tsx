import { Group, SimpleGrid, Text, TextInput, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api, type Schemas } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { OneOf } from '../../parts/one-of';
import { describeOutcome, isSuccess } from '../deliveries/error-classes';
import { Reply } from '../deliveries/reply';
import { headerLines } from '../deliveries/texts';
import type { OutgoingHook } from './outgoing-queries';
import { Section } from './section';

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
    <Section title="Send a test" description="Calls the URL once. The response is shown here and not posted.">
      <Form action="Send test" onSubmit={test}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          <Field name="callback_url" label="URL">
            <OneOf choices={hook.callback_urls} value={url} onChange={setChosen} />
          </Field>
          <Field name="text" label="Message">
            <TextInput value={text} onChange={({ target }) => setText(target.value)} />
          </Field>
        </SimpleGrid>
      </Form>
      {tested && <Seen tested={tested} />}
    </Section>
  );
}

function Seen({ tested: { request, response } }: { readonly tested: Schemas['TestedDto'] }): ReactNode {
  const { status_code: status, note, headers, body } = response;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mt="md">
      <div>
        <Title order={3} size="h3" m={0} mb="xs">
          {request ? 'Request' : 'Not sent'}
        </Title>
        {request ? (
          <Code
            label="the request"
            text={`${request.method} ${request.url}\n${headerLines(request.headers)}\n\n${request.body}`}
          />
        ) : (
          <Text size="sm" c="dimmed">
            The request never left this server.
          </Text>
        )}
      </div>
      <div role="status">
        <Group gap="xs" mb="xs">
          <Title order={3} size="h3" m={0}>
            Response
          </Title>
          <Badge tone={isSuccess(response) ? 'good' : 'bad'}>{describeOutcome(response)}</Badge>
          <Text size="sm" c="dimmed">
            {response.duration_ms} ms
          </Text>
        </Group>
        {note !== '' && <Text size="sm">{note}</Text>}
        {status > 0 && body === '' && <Text size="sm">The response is empty.</Text>}
        <Reply headers={headers} body={body} />
      </div>
    </SimpleGrid>
  );
}
