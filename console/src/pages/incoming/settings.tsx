import { Fieldset, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Confirm } from '../../parts/confirm';
import { Form } from '../../parts/form';
import { showDone } from '../../parts/undo';
import { KeepInput } from '../../parts/use-dialog';
import {
  bodyOf,
  CallFields,
  explainRefusal,
  GeneralFields,
  MessageFields,
  StillLocked,
  valuesOf,
} from './hook-fields';
import { type HookProps, of, patchHook } from './incoming-queries';

/** Changes or deletes a webhook. */
export function Settings({ hook }: HookProps): ReactNode {
  const form = useForm({ initialValues: valuesOf(hook) });
  const save = async (): Promise<void> => {
    const saved = await patchHook(hook.id, bodyOf(form));
    const isStillLocked = saved.channel_locked && !form.getValues().channel_locked;
    form.setInitialValues(valuesOf(saved));
    form.reset();
    if (isStillLocked) throw new StillLocked();
    showDone('Settings saved.');
  };
  return (
    <>
      <KeepInput>
        <Form action="Save" onSubmit={save} explain={explainRefusal}>
          <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
            <Stack>
              <Fieldset legend="General">
                <GeneralFields form={form} teamId={hook.team_id} />
              </Fieldset>
              <Fieldset legend="Messages">
                <MessageFields form={form} />
              </Fieldset>
            </Stack>
            <Fieldset legend="Calls">
              <CallFields form={form} />
            </Fieldset>
          </SimpleGrid>
        </Form>
      </KeepInput>
      <DeleteHook hook={hook} />
    </>
  );
}

function DeleteHook({ hook }: HookProps): ReactNode {
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await answerOf(api.DELETE('/api/v4/hooks/incoming/{hook_id}', of(hook.id)));
    queries.removeQueries({ queryKey: ['incoming'], type: 'inactive' }); // lists that still contain it
    await navigate({ to: '/incoming' });
    queries.removeQueries({ queryKey: ['incoming', hook.id] });
    showDone('Webhook deleted.');
  };
  return (
    <Fieldset legend="Delete the webhook" mt="md">
      <Text size="sm" mb="sm">
        Programs that post to its URL get an error from then on. Its messages stay.
      </Text>
      <Confirm label="Delete" title="Delete the webhook?" isRisky onConfirm={remove}>
        <p>Programs that post to its URL get an error from then on.</p>
      </Confirm>
    </Fieldset>
  );
}
