import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../parts/status-badge';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { EnableHooks } from './enable-hooks';
import { type EndpointDetail, type EndpointHook, standingOfEndpoint } from './endpoint-queries';
import { RecoverEndpoint } from './recover-endpoint';

/** Webhooks that call an endpoint, with actions to re-enable all disabled ones and resend misses. */
export function EndpointHooks({ found }: { readonly found: EndpointDetail }): ReactNode {
  const { hooks, hook_count: count } = found;
  return (
    <section aria-label="Webhooks">
      <h2>Webhooks</h2>
      {count === 0 && <p className="muted">No webhooks call it any more.</p>}
      <EnableHooks endpoint={found.endpoint} isNeeded={found.disabled_url_count > 0} />
      {count > 0 && <RecoverEndpoint endpoint={found.endpoint} />}
      {count > 0 && <HookTable hooks={hooks} />}
      {count > hooks.length && <p className="muted">And {count - hooks.length} more.</p>}
    </section>
  );
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
                {hook.display_name || 'Unnamed'}
              </Link>
            </td>
            <td>
              <StatusBadge status={standing} />
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
