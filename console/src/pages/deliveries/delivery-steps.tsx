import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ExactTime, formatDuration, Time } from '../../parts/time';
import { type Attempt, type DeliveryDetail, postTime } from './delivery-queries';
import { describeOutcome } from './error-classes';
import { standingOfDelivery } from './standing';

interface Step {
  readonly name: string;
  readonly at: number;
  readonly state: 'done' | 'failed' | 'waiting' | 'left-out' | 'running';
}

/** Steps without a time. */
const TIMELESS: ReadonlySet<Step['state']> = new Set(['left-out', 'running']);

/** Timeline of a delivery with its first and last call: each step's time and offset from the start. */
export function DeliverySteps({ found }: { readonly found: DeliveryDetail }): ReactNode {
  const { data: postedAt = 0 } = useQuery(postTime(found.post_id));
  const { data: repliedAt = 0 } = useQuery(postTime(found.reply_post_id));
  const steps = stepsOf(found, postedAt, repliedAt);
  const start = steps[0]?.at ?? 0;
  return (
    <ol className="stepper" aria-label="Steps of the delivery">
      {steps.map(({ name, at, state }, index) => (
        <li key={index} className={state}>
          {TIMELESS.has(state) ? (
            <span className={state === 'running' ? '' : 'muted'}>{name}</span>
          ) : (
            <>
              <b>{name}</b>
              <ExactTime at={at} hasDate={dayOf(at) !== dayOf(steps[index - 1]?.at ?? 0)} />
              <span className="muted">
                {state === 'waiting' ? (
                  <Time at={at} isDue />
                ) : (
                  at > start && `+${formatDuration(at - start)}`
                )}
              </span>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

const dayOf = (at: number): string => new Date(at).toDateString();

function stepsOf(found: DeliveryDetail, postedAt: number, repliedAt: number): Step[] {
  const steps: Step[] = [];
  const add = (name: string, at: number, state: Step['state'] = 'done'): void => {
    if (at > 0) steps.push({ name, at, state });
  };
  add('Posted', postedAt);
  add('Stored', found.create_at);
  const numbers = found.attempt_list.map(({ number }) => number);
  let next = 1;
  for (const attempt of firstAndLast(found.attempt_list)) {
    const { number, start_at: at, duration_ms: duration, status_code: code, error } = attempt;
    const isGood = code >= 200 && code < 300 && error === '';
    for (const text of leftOut(next, number - 1, numbers)) add(text, at, 'left-out');
    next = number + 1;
    add(number === 1 ? 'Called' : `Called for the ${ordinal(number)} time`, at);
    const outcome = describeOutcome(attempt);
    add(code > 0 ? `Answered ${outcome}` : `Failed: ${outcome}`, at + duration, isGood ? 'done' : 'failed');
  }
  add('Reply posted', repliedAt);
  const isRunning = found.status === 'in_flight';
  const waitsFor = found.paused_until > 0 ? 'Endpoint paused until then' : 'Next attempt';
  if (found.finish_at === 0 && !isRunning) add(waitsFor, found.next_attempt_at, 'waiting');
  else if (found.finish_at > 0 && found.status !== 'delivered')
    add(`Settled as ${standingOfDelivery(found).text.toLowerCase()}`, found.finish_at, 'failed');
  steps.sort((one, other) => one.at - other.at);
  return isRunning ? [...steps, { name: 'Being called now', at: Date.now(), state: 'running' }] : steps;
}

/** A delivery may have hundreds of attempts in between. */
const firstAndLast = (attempts: readonly Attempt[]): readonly Attempt[] =>
  attempts.length > 2 ? [...attempts.slice(0, 1), ...attempts.slice(-1)] : attempts;

/** Explains where the other attempts are; only the latest ones are kept. */
function leftOut(first: number, last: number, numbers: readonly number[]): string[] {
  const kept = numbers.filter((number) => number >= first && number <= last);
  const lost = last - first + 1 - kept.length;
  return [
    ...(lost > 0 ? [`${attempts(first, first + lost - 1, 'was', 'were')} not kept`] : []),
    ...(kept.length > 0 ? [`${attempts(first + lost, last, 'is', 'are')} below`] : []),
  ];
}

const attempts = (first: number, last: number, one: string, several: string): string =>
  first === last ? `Attempt ${first} ${one}` : `Attempts ${first}–${last} ${several}`;

function ordinal(count: number): string {
  const rest = count % 100;
  const ending = rest > 10 && rest < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}
