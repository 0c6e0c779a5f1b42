import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
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
  const [newest] = urls;
  if (!newest) return <p className="muted">There is no previous URL.</p>;
  const works = ({ expires_at: at }: PreviousUrl): boolean => at > Date.now();
  return (
    <>
      <p role="status">
        Programs that post need the current URL.{' '}
        {works(newest) ? (
          <>
            The previous one stops working <Time at={newest.expires_at} />.
          </>
        ) : (
          'The previous one no longer works.'
        )}
      </p>
      <Table heads={['Previous URL', 'State', 'Expires', 'Uses', 'Last used']}>
        {urls.map((url) => (
          <tr key={url.id}>
            <td>
              <code>…{url.id.slice(-SHOWN)}</code>
            </td>
            <td>{works(url) ? <Badge tone="good">works</Badge> : <Badge tone="quiet">expired</Badge>}</td>
            <td>
              <Time at={url.expires_at} />
            </td>
            <td>{url.uses.toLocaleString()}</td>
            <td>
              <Time at={url.last_used} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
