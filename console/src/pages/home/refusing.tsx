import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdmin, useUser } from '../../app/session';
import { FaultNote } from '../../parts/fault-note';
import { Time } from '../../parts/time';
import { refusingHooks } from '../incoming/incoming-queries';

const SHOWN = 6;

/** Incoming webhooks that refused calls in the last day, for those who may see them. */
export function Refusing(): ReactNode {
  const { data: hooks = [], error } = useQuery({ ...refusingHooks, enabled: isAdmin(useUser()) });
  if (hooks.length === 0 && !error) return null;
  return (
    <section aria-label="Calls that were refused">
      <h2>Calls that were refused</h2>
      {error && <FaultNote error={error} />}
      <div className="cards">
        {hooks.slice(0, SHOWN).map((hook) => (
          <div key={hook.hook_id} className="card">
            <h3>
              <Link to="/incoming/$hookId" params={{ hookId: hook.hook_id }} search={{ tab: 'calls' }}>
                {hook.display_name || 'Without a name'}
              </Link>
            </h3>
            {hook.refused_count === 1 ? 'one call' : `${hook.refused_count} calls`}, the last{' '}
            <Time at={hook.last_refused_at} />
            <p>{hook.last_message}</p>
          </div>
        ))}
      </div>
      {hooks.length > SHOWN && <p>And {hooks.length - SHOWN} more webhooks.</p>}
    </section>
  );
}
