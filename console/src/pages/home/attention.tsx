import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { FaultNote } from '../../parts/fault-note';
import { Growing } from '../../parts/growing';
import { Loading } from '../../parts/loading';
import { Time } from '../../parts/time';
import type { useConcerns } from './use-concerns';

interface AttentionProps {
  readonly found: ReturnType<typeof useConcerns>;
  /** Scope: the whole server, or a team. */
  readonly scope: string;
}

/** Everything that needs attention, one row each, or a note that nothing does. */
export function Attention({ found, scope }: AttentionProps): ReactNode {
  const { concerns, moreEndpoints, errors, isPending, isIncomplete } = found;
  const count = concerns.length + moreEndpoints;
  const isWell = count === 0 && errors.length === 0 && !isIncomplete;
  return (
    <section aria-label="Needs attention">
      <h2>
        Needs attention{count > 0 && ` (${count})`} <small className="muted">{scope}</small>
      </h2>
      {errors.map((error, index) => (
        <FaultNote key={index} error={error} />
      ))}
      {isWell && (isPending ? <Loading /> : <p>Everything works.</p>)}
      {concerns.length > 0 && (
        <Growing items={concerns}>
          {(shown) => (
            <ul className="concerns">
              {shown.map(({ key, tone, state, title, text, at }) => (
                <li key={key}>
                  <Badge tone={tone}>{state}</Badge>
                  <b>{title}</b>
                  <div>{text}</div>
                  <Time at={at} none="" isInText />
                </li>
              ))}
            </ul>
          )}
        </Growing>
      )}
      {moreEndpoints > 0 && (
        <p>
          <Link to="/endpoints">
            {moreEndpoints} more {moreEndpoints === 1 ? 'endpoint fails' : 'endpoints fail'}
          </Link>
        </p>
      )}
    </section>
  );
}
