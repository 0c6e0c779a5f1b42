import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FaultNote } from '../../parts/fault-note';
import type { Refused } from './each-hook';

const SHOWN = 10;

/** Webhooks for which an action failed, each with the reason. */
export function Refusals({ refused }: { readonly refused: readonly Refused[] }): ReactNode {
  if (refused.length === 0) return null;
  return (
    <ul className="plain-list">
      {refused.slice(0, SHOWN).map(({ hook, error }) => (
        <li key={hook.id}>
          <Link to="/outgoing/$hookId" params={{ hookId: hook.id }}>
            {hook.display_name || 'Unnamed'}
          </Link>
          <FaultNote error={error} />
        </li>
      ))}
      {refused.length > SHOWN && <li className="muted">And {refused.length - SHOWN} more.</li>}
    </ul>
  );
}
