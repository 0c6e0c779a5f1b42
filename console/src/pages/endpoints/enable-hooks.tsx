import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Form } from '../../parts/form';
import { type Course, forEachHook, hooksAt, isAt } from './each-hook';
import { Refusals } from './refusals';

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
      const all = await hooksAt(endpoint);
      const stopped = all.filter(({ disabled_urls: urls }) => urls.some((url) => isAt(endpoint, url)));
      await forEachHook(stopped, enableOne, setCourse);
    } finally {
      await queries.invalidateQueries({ queryKey: ['endpoints'] });
      await queries.invalidateQueries({ queryKey: ['outgoing'] });
    }
  };
  return (
    <>
      {isNeeded && (
        <Form action="Enable again" onSubmit={enable}>
          <p>
            Once the receiver is fixed, enable the URLs again. This also enables all other URLs of the same
            webhooks. Then send missed deliveries again.
          </p>
        </Form>
      )}
      {course && (
        <div role="status">
          <p>{describe(course)}</p>
          <Refusals refused={course.refused} />
        </div>
      )}
    </>
  );
}

/** Also re-enables the webhook's disabled URLs at other endpoints. */
async function enableOne({ id }: { readonly id: string }): Promise<void> {
  await answerOf(api.POST('/api/v4/hooks/outgoing/{hook_id}/enable', { params: { path: { hook_id: id } } }));
}

function describe({ done, total, refused }: Course): string {
  if (done < total) return `${done} of ${total} webhooks…`;
  const enabled = done - refused.length;
  const text = enabled === 1 ? '1 webhook is enabled again.' : `${enabled} webhooks are enabled again.`;
  return refused.length === 0 ? text : `${text} ${refused.length} of ${total} could not be:`;
}
