import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Badge } from '../../parts/badge';
import { Form } from '../../parts/form';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { type EndpointDetail, type EndpointHook, standingOfEndpoint } from './endpoint-queries';

/** The webhooks that call an endpoint; those that have given it up can be enabled again together. */
export function EndpointHooks({ found }: { readonly found: EndpointDetail }): ReactNode {
  const stopped = found.disabled_url_count > 0;
  const { hooks, hook_count: count } = found;
  return (
    <section aria-label="Webhooks">
      <h2>Webhooks</h2>
      {count === 0 && <p className="muted">No webhook calls it any more.</p>}
      {stopped && (
        <Form action="Enable again" onSubmit={() => enable(found.endpoint)}>
          <p>
            Once the receiver is mended, enable the webhooks that have given it up. Then send again what has
            failed, on the page of each.
          </p>
        </Form>
      )}
      {count > 0 && <HookTable hooks={hooks} />}
      {count > hooks.length && <p className="muted">And {count - hooks.length} more.</p>}
    </section>
  );
}

/** One after the other; a webhook of which an address elsewhere was given up is called there again as well. */
async function enable(endpoint: string): Promise<void> {
  try {
    const { hooks } = await answerOf(
      api.GET('/api/v4/hooks/outgoing/endpoints/details', { params: { query: { endpoint } } }),
    );
    for (const { id } of hooks.filter(({ disabled_url_count: count }) => count > 0))
      await answerOf(
        api.POST('/api/v4/hooks/outgoing/{hook_id}/enable', { params: { path: { hook_id: id } } }),
      );
  } finally {
    await queries.invalidateQueries({ queryKey: ['endpoints'] });
    await queries.invalidateQueries({ queryKey: ['outgoing'] });
  }
}

function HookTable({ hooks }: { readonly hooks: readonly EndpointHook[] }): ReactNode {
  return (
    <Table heads={['Webhook', 'State', 'Since']}>
      {hooks.map((hook) => {
        const standing = standingOfEndpoint(hook);
        return (
          <tr key={hook.id}>
            <td>
              <Link to="/outgoing/$hookId" params={{ hookId: hook.id }}>
                {hook.display_name || 'Without a name'}
              </Link>
            </td>
            <td>
              <Badge tone={standing.tone}>{standing.text}</Badge>
            </td>
            <td>
              <Time at={hook.since} none="" />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
