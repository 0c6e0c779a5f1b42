import { ScrollArea, Text, Timeline, UnstyledButton } from '@mantine/core';
import {
  IconBan,
  IconCheck,
  IconClock,
  IconInbox,
  IconMessage,
  IconMessageReply,
  IconSend,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ExactTime, formatDuration, Time } from '../../parts/time';
import { type Attempt, type DeliveryDetail, postTime } from './delivery-queries';
import { describeOutcome, isSuccess } from './error-classes';
import { standingOfDelivery } from './standing';

interface Step {
  readonly name: string;
  /** 0 if it has no time. */
  readonly at: number;
  readonly color: string;
  readonly icon: TablerIcon;
  readonly attempt?: Attempt;
  readonly isDue?: boolean;
}

interface CourseProps {
  readonly found: DeliveryDetail;
  readonly shown: Attempt | undefined;
  readonly onChoose: (number: number) => void;
}

/** Timeline of a delivery: each step's time and offset from the start. */
export function Course({ found, shown, onChoose }: CourseProps): ReactNode {
  const { data: postedAt = 0 } = useQuery(postTime(found.post_id));
  const { data: repliedAt = 0 } = useQuery(postTime(found.reply_post_id));
  const steps = courseOf(found, postedAt, repliedAt);
  const start = steps[0]?.at ?? 0;
  return (
    <ScrollArea.Autosize mah="60vh">
      <Timeline
        role="list"
        aria-label="Steps of the delivery"
        active={steps.length}
        bulletSize={20}
        lineWidth={2}
        pl={12}
        pt={4}
      >
        {steps.map(({ name, at, color, icon: Icon, attempt, isDue = false }, index) => (
          <Timeline.Item
            key={index}
            role="listitem"
            color={color}
            bullet={<Icon size={12} />}
            lineVariant={isDue ? 'dashed' : 'solid'}
            title={
              attempt ? (
                <UnstyledButton
                  fz="sm"
                  fw={500}
                  td={attempt === shown ? undefined : 'underline'}
                  aria-current={attempt === shown || undefined}
                  onClick={() => onChoose(attempt.number)}
                >
                  {name}
                </UnstyledButton>
              ) : (
                <Text size="sm" fw={at === 0 ? 400 : 500}>
                  {name}
                </Text>
              )
            }
          >
            {at > 0 && (
              <Text size="xs" c="dimmed">
                <ExactTime at={at} hasDate={dayOf(at) !== dayOf(steps[index - 1]?.at ?? 0)} />{' '}
                {isDue ? <Time at={at} isDue /> : at > start && `+${formatDuration(at - start)}`}
              </Text>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
    </ScrollArea.Autosize>
  );
}

const dayOf = (at: number): string => new Date(at).toDateString();

function courseOf(found: DeliveryDetail, postedAt: number, repliedAt: number): Step[] {
  const { attempt_list: attempts, next_attempt_at: next, finish_at: end, status } = found;
  const timed: Step[] = [
    { name: 'Message posted', at: postedAt, color: 'gray', icon: IconMessage },
    { name: 'Queued', at: found.create_at, color: 'gray', icon: IconInbox },
    ...attempts.map((attempt) => ({
      name: `Attempt ${attempt.number}: ${describeOutcome(attempt)}`,
      at: attempt.start_at,
      ...(isSuccess(attempt) ? { color: 'green', icon: IconCheck } : { color: 'red', icon: IconX }),
      attempt,
    })),
    { name: 'Reply posted', at: repliedAt, color: 'green', icon: IconMessageReply },
  ];
  const steps = timed.filter(({ at }) => at > 0).sort((one, other) => one.at - other.at);
  const lost = (attempts[0]?.number ?? 1) - 1;
  if (lost > 0)
    steps.splice(
      steps.findIndex(({ attempt }) => attempt),
      0,
      {
        name: lost === 1 ? 'Attempt 1 was not kept' : `Attempts 1–${lost} were not kept`,
        ...{ at: 0, color: 'gray', icon: IconBan },
      },
    );
  const last = { at: 0, color: 'blue' };
  if (status === 'in_flight') steps.push({ ...last, name: 'Sending now', icon: IconSend });
  else if (end === 0 && next > 0) {
    const name = found.paused_until > 0 ? 'Endpoint paused until then' : 'Next attempt';
    steps.push({ ...last, name, at: next, icon: IconClock, isDue: true });
  } else if (end > 0 && status !== 'delivered') {
    const name = standingOfDelivery(found).text;
    steps.push({ name, at: end, color: status === 'failed' ? 'red' : 'gray', icon: IconBan });
  }
  return steps;
}
