import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DialogButton } from '../../parts/dialog-button';
import { Loaded } from '../../parts/loaded';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { addressOf, type IncomingHook, type PreviousUrl, previousUrls } from './incoming-queries';
import { RotateUrl } from './rotate-url';
import { SecretUrl } from './secret-url';

/** Enough of a URL to recognise it. */
const SHOWN = 4;

/** The URL of a webhook, which can be rotated, and the previous ones. */
export function Urls({ hook }: { readonly hook: IncomingHook }): ReactNode {
  const query = useQuery(previousUrls(hook.id));
  return (
    <>
      <div className="actions">
        <SecretUrl url={addressOf(hook.id)} secret={hook.id} label="current URL" />
        <DialogButton label="Rotate the URL" title="Rotate the URL?" isRisky>
          {() => <RotateUrl hook={hook} />}
        </DialogButton>
      </div>
      <Loaded query={query}>{(urls) => <PreviousUrls urls={urls} />}</Loaded>
    </>
  );
}

function PreviousUrls({ urls }: { readonly urls: readonly PreviousUrl[] }): ReactNode {
  if (urls.length === 0) return <p className="muted">No previous URL works.</p>;
  return (
    <>
      <p role="status">Programs that use a previous URL need the current one before theirs stops working.</p>
      <Table heads={['Previous URL', 'Replaced', 'Stops working', 'Uses since', 'Last used']}>
        {urls.map(({ id, create_at: replacedAt, expires_at: until, uses, last_used: lastUsed }) => (
          <tr key={id}>
            <td>
              <code>…{id.slice(-SHOWN)}</code>
            </td>
            <td>
              <Time at={replacedAt} />
            </td>
            <td>
              <Time at={until} />
            </td>
            <td>{uses.toLocaleString()}</td>
            <td>
              <Time at={lastUsed} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
