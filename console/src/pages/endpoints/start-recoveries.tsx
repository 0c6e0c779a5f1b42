import { type ReactNode, useState } from 'react';
import { Form } from '../../parts/form';
import { fromLocal } from '../../parts/local-time';
import type { OutgoingHook } from '../outgoing/outgoing-queries';
import { recover, type Recovery } from '../outgoing/recovery-requests';
import { describeMissed } from '../outgoing/recovery-progress';
import { aDayAgo, SinceField } from '../outgoing/since-field';
import { type Course, forEachHook, hooksAt, isAt } from './each-hook';
import { Refusals } from './refusals';

interface StartRecoveriesProps {
  readonly endpoint: string;
  /** Called after each start with the recoveries started so far. */
  readonly onStarted: (recoveries: readonly Recovery[]) => void;
  readonly onDone: () => void;
}

interface Counted {
  readonly since: string;
  readonly hooks: readonly OutgoingHook[];
  readonly total: number;
  readonly waiting: number;
}

/** Asks for a start time, shows the exact count, and resends after confirmation. */
export function StartRecoveries({ endpoint, onStarted, onDone }: StartRecoveriesProps): ReactNode {
  const [since, setSince] = useState(aDayAgo);
  const [found, setFound] = useState<Counted | null>(null);
  const [course, setCourse] = useState<Course | null>(null);
  const counted = found?.since === since ? found : null;
  const at = fromLocal(since) ?? 0;
  const count = async (): Promise<void> => {
    setFound(null);
    setCourse(null);
    const hooks: OutgoingHook[] = [];
    const sum = { total: 0, waiting: 0 };
    const countOne = async (hook: OutgoingHook): Promise<void> => {
      const { total, waiting } = await recover(hook.id, at, true);
      sum.total += total;
      sum.waiting += waiting;
      if (total > 0) hooks.push(hook);
    };
    await forEachHook(await hooksAt(endpoint), countOne, setCourse);
    setFound({ since, hooks, ...sum });
  };
  const start = async (): Promise<void> => {
    const started: Recovery[] = [];
    const startOne = async ({ id }: OutgoingHook): Promise<void> => {
      started.push(await recover(id, at, false));
      onStarted([...started]);
    };
    const { refused } = await forEachHook(counted?.hooks ?? [], startOne, setCourse);
    if (refused.length === 0) onDone();
    else setFound(null);
  };
  const isUnderWay = course !== null && course.done < course.total;
  return (
    <>
      <Form action="Count" onSubmit={count}>
        <SinceField value={since} onChange={setSince} />
      </Form>
      {isUnderWay && (
        <p role="status">
          {course.done} of {course.total} webhooks…
        </p>
      )}
      {!isUnderWay && course && course.refused.length > 0 && (
        <>
          <p role="status">
            {course.refused.length} of {course.total} webhooks cannot send again now:
          </p>
          <Refusals refused={course.refused} />
        </>
      )}
      {counted?.total === 0 && <p role="status">Nothing has been missed since then.</p>}
      {counted && counted.total > 0 && (
        <Form action={`Send ${counted.total} again`} onSubmit={start}>
          <p role="status">
            {describeMissed(counted)} New deliveries go first.
            {counted.hooks.some((hook) => callsElsewhere(hook, endpoint)) &&
              ' This includes what its webhooks missed at other endpoints.'}
          </p>
        </Form>
      )}
    </>
  );
}

const callsElsewhere = ({ callback_urls: urls }: OutgoingHook, endpoint: string): boolean =>
  urls.some((url) => !isAt(endpoint, url));
