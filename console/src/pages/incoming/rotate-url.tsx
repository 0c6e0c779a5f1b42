import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Field } from '../../parts/field';
import { Form } from '../../parts/form';
import { type IncomingHook, incomingHook } from './incoming-queries';

/** How long the old URL works, in seconds; empty for the default of the server. */
const OVERLAPS: readonly (readonly [seconds: string, title: string])[] = [
  ['', 'for as long as the server is set to'],
  ['0', 'no longer: it stops at once'],
  ['3600', 'for an hour'],
  ['86400', 'for a day'],
  ['604800', 'for a week'],
  ['2592000', 'for 30 days'],
];

/** Gives a webhook a new URL after confirmation, and opens its page, whose address is new too. */
export function RotateUrl({ hook }: { readonly hook: IncomingHook }): ReactNode {
  const navigate = useNavigate();
  const [overlap, setOverlap] = useState('');
  const rotate = async (): Promise<void> => {
    const rotated = await answerOf(
      api.POST('/api/v4/hooks/incoming/{hook_id}/rotate_url', {
        params: { path: { hook_id: hook.id } },
        body: overlap === '' ? {} : { overlap_seconds: Number(overlap) },
      }),
    );
    queries.setQueryData(incomingHook(rotated.id).queryKey, rotated);
    const params = { hookId: rotated.id };
    await navigate({ to: '/incoming/$hookId', params, search: { tab: 'urls' }, replace: true });
    queries.removeQueries({ queryKey: ['incoming', hook.id] });
    await queries.invalidateQueries({ queryKey: ['incoming'] }); // lists have the old id
  };
  return (
    <Form action="Rotate" onSubmit={rotate} isDangerous>
      <p>
        The webhook gets a new URL, which the programs that post to it need. Its settings, messages and Slack
        path stay.
      </p>
      <Field name="overlap_seconds" label="The old URL works" hint="Earlier ones work no longer than that.">
        <Select
          allowDeselect={false}
          data={OVERLAPS.map(([value, label]) => ({ value: `${value}`, label }))}
          value={overlap}
          onChange={(chosen) => chosen !== null && setOverlap(chosen)}
        />
      </Field>
    </Form>
  );
}
