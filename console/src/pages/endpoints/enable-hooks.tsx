import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { FaultNote } from '../../parts/fault-note';
import { Form } from '../../parts/form';
import { showDone } from '../../parts/undo';
import { type OutgoingHook, readOutgoingHooks } from '../outgoing/outgoing-queries';

interface Course {
  readonly done: number;
  readonly total: number;
  /** Webhooks for which it failed, and why. */
  readonly refused: readonly { readonly hook: OutgoingHook; readonly error: Error }[];
}

interface EnableHooksProps {
  readonly endpoint: string;
  /** Whether any URL at the endpoint is disabled. */
  readonly isNeeded: boolean;
}

/** Re-enables all webhooks with disabled URLs at an endpoint, and shows the progress. */
export function EnableHooks({ endpoint, isNeeded }: EnableHooksProps): ReactNode {
  const [course, setCourse] = useState<Course | null>(null);
  const enable = async (): Promise<void> => {
    try {
      const isAt = (url: string): boolean => URL.canParse(url) && new URL(url).origin === endpoint;
      const hooks = (await readOutgoingHooks({}, Infinity)).filter((one) => one.disabled_urls.some(isAt));
      let now: Course = { done: 0, total: hooks.length, refused: [] };
      setCourse(now);
      for (const hook of hooks) {
        const refused = await enableOne(hook.id).then(
          () => [],
          (error: Error) => [{ hook, error }],
        );
        now = { ...now, done: now.done + 1, refused: [...now.refused, ...refused] };
        setCourse(now);
      }
      if (now.refused.length === 0) showDone(describe(now));
    } finally {
      await queries.invalidateQueries({ queryKey: ['endpoints'] });
      await queries.invalidateQueries({ queryKey: ['outgoing'] });
    }
  };
  return (
    <>
      {isNeeded && (
        <Form action="Enable again" onSubmit={enable}>
          <Text size="sm" mb="xs">
            Once the receiver is fixed, enable its URLs. This also enables all other URLs of the same
            webhooks. Then resend missed deliveries.
          </Text>
        </Form>
      )}
      {course && (
        <div role="status">
          <Text size="sm" mt="xs">
            {describe(course)}
          </Text>
          <ul>
            {course.refused.map(({ hook, error }) => (
              <li key={hook.id}>
                <Link to="/outgoing/$hookId" params={{ hookId: hook.id }}>
                  {hook.display_name || 'Unnamed'}
                </Link>
                <FaultNote error={error} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** Also re-enables the webhook's disabled URLs at other endpoints. */
const enableOne = (hookId: string): Promise<unknown> =>
  answerOf(api.POST('/api/v4/hooks/outgoing/{hook_id}/enable', { params: { path: { hook_id: hookId } } }));

function describe({ done, total, refused }: Course): string {
  if (done < total) return `${done} of ${total} webhooks…`;
  const enabled = done - refused.length;
  const text = enabled === 1 ? '1 webhook is enabled again.' : `${enabled} webhooks are enabled again.`;
  return refused.length === 0 ? text : `${text} ${refused.length} of ${total} could not be:`;
}
