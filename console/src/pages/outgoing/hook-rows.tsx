import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { StatusBadge } from '../../parts/status-badge';
import { useInSight } from '../../parts/use-in-sight';
import { CallbackHosts } from './callback-urls';
import { LastCalls } from './last-calls';
import { type HookOutcomes, lastDayOf, type OutgoingHook, standingOf } from './outgoing-queries';

interface HookRowsProps {
  /** Up to the number that the server charts at once. */
  readonly hooks: readonly OutgoingHook[];
  /** Filters the rows. Charts load for all webhooks, so searching does not refetch them. */
  readonly matches: (hook: OutgoingHook) => boolean;
  readonly channelNames: ReadonlyMap<string, string>;
}

/** Webhook rows. Their charts load while at least one row is visible. */
export function HookRows({ hooks, matches, channelNames }: HookRowsProps): ReactNode {
  const [watch, isInSight] = useInSight();
  const day = useQuery({ ...lastDayOf(hooks.map(({ id }) => id)), enabled: isInSight });
  const outcomes = new Map(day.data?.hooks.map((one) => [one.hook_id, one]));
  const isAnswered = day.isError || (day.isSuccess && !day.isPlaceholderData);
  return (
    <tbody ref={watch}>
      {hooks.filter(matches).map((hook) => (
        <HookRow
          key={hook.id}
          hook={hook}
          channelName={channelNames.get(hook.channel_id)}
          outcomes={outcomes.get(hook.id)}
          isAnswered={isAnswered}
        />
      ))}
    </tbody>
  );
}

interface HookRowProps {
  readonly hook: OutgoingHook;
  readonly channelName: string | undefined;
  readonly outcomes: HookOutcomes | undefined;
  readonly isAnswered: boolean;
}

/** Memoized: rerendering a hundred links each time would slow down scrolling. */
const HookRow = memo(function HookRow({ hook, channelName, outcomes, isAnswered }: HookRowProps): ReactNode {
  const standing = standingOf(hook);
  return (
    <tr>
      <td className="name">
        <Link to="/outgoing/$hookId" params={{ hookId: hook.id }}>
          {hook.display_name || 'Unnamed'}
        </Link>
        {hook.description && <div className="muted">{hook.description}</div>}
      </td>
      <td>
        <LastCalls outcomes={outcomes} isAnswered={isAnswered} />
      </td>
      <td>{hook.trigger_words.length > 0 ? hook.trigger_words.join(', ') : 'every message'}</td>
      <td>
        {hook.channel_id === '' ? (
          <Badge tone="warning">all public channels</Badge>
        ) : (
          (channelName ?? <span className="muted">another channel</span>)
        )}
      </td>
      <td>
        <CallbackHosts hook={hook} />
      </td>
      <td>
        <StatusBadge status={standing} />
      </td>
    </tr>
  );
});
