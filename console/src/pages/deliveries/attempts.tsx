import { Button, Group, Progress, SimpleGrid, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { ExactTime, formatDuration } from '../../parts/time';
import { CompareAttempts } from './compare-attempts';
import { Course } from './course';
import type { Attempt, DeliveryDetail } from './delivery-queries';
import { describeOutcome, isSuccess } from './error-classes';
import { bytesIn, headerLines, stepsOf } from './texts';

/** The course of a delivery, and the request and response of one attempt, or the difference of two. */
export function Attempts({ found }: { readonly found: DeliveryDetail }): ReactNode {
  const [chosen, choose] = useState(0);
  const [isComparing, compare] = useState(false);
  const attempts = found.attempt_list;
  const shown = attempts.find(({ number }) => number === chosen) ?? attempts.at(-1);
  return (
    <Group align="flex-start" gap="xl" wrap="wrap">
      <Stack gap="sm" flex="0 0 220px">
        <Course
          found={found}
          shown={isComparing ? undefined : shown}
          onChoose={(number) => {
            choose(number);
            compare(false);
          }}
        />
        {attempts.length > 1 && !isComparing && (
          <Button variant="default" leftSection={<IconGitCompare size={14} />} onClick={() => compare(true)}>
            Compare two attempts
          </Button>
        )}
      </Stack>
      <Stack gap="sm" flex="1 1 420px" miw={0}>
        {isComparing ? (
          <CompareAttempts attempts={attempts} />
        ) : (
          shown && <AttemptView key={shown.number} attempt={shown} found={found} />
        )}
      </Stack>
    </Group>
  );
}

interface AttemptViewProps {
  readonly attempt: Attempt;
  readonly found: DeliveryDetail;
}

/** One attempt: its outcome and timing, and the request and the response side by side. */
function AttemptView({ attempt, found }: AttemptViewProps): ReactNode {
  return (
    <Stack component="section" aria-label={`Attempt ${attempt.number}`} gap="sm">
      <Group gap="xs">
        <Title order={2} m={0}>
          Attempt {attempt.number}
        </Title>
        <Badge tone={isSuccess(attempt) ? 'good' : 'bad'}>{describeOutcome(attempt)}</Badge>
        <Text size="sm" c="dimmed">
          <ExactTime at={attempt.start_at} /> · {formatDuration(attempt.duration_ms)}
        </Text>
      </Group>
      {attempt.note !== '' && <Text size="sm">{attempt.note}</Text>}
      <Waterfall attempt={attempt} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Request attempt={attempt} found={found} />
        <Response attempt={attempt} />
      </SimpleGrid>
    </Stack>
  );
}

/** Steps too short to be seen are as wide, in percent. */
const LEAST_WIDTH = 0.6;

/** Each step of an attempt starts where the previous one ended. */
function Waterfall({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const total = Math.max(1, attempt.duration_ms) / 100;
  return (
    <Stack gap={4}>
      {stepsOf(attempt).map(({ name, from, ms }) => {
        const width = Math.max(LEAST_WIDTH, Math.min(100, ms / total));
        return (
          <Group key={name} gap="xs" wrap="nowrap" fz="xs">
            <Text inherit w={76} c="dimmed">
              {name}
            </Text>
            <Progress.Root flex={1} size={8} className="waterfall">
              <Progress.Section
                value={Math.min(from / total, 100 - width)}
                color="transparent"
                withAria={false}
              />
              <Progress.Section value={width} withAria={false} className="bar" />
            </Progress.Root>
            <Text inherit w={60} ta="right">
              {ms} ms
            </Text>
          </Group>
        );
      })}
    </Stack>
  );
}

interface PaneProps {
  readonly title: string;
  /** The tabs; empty ones are left out. */
  readonly tabs: Readonly<Record<string, ReactNode>>;
  /** Shown if there are no tabs. */
  readonly none: string;
  readonly note: string;
}

function Pane({ title, tabs, none, note }: PaneProps): ReactNode {
  const shown = Object.entries(tabs).filter(([, content]) => Boolean(content));
  return (
    <Stack gap={6} miw={0}>
      <Tabs defaultValue={shown[0]?.[0] ?? ''} variant="pills" radius="sm">
        <Group gap="xs" mb={6} mih={28}>
          <Title order={3} m={0} flex={1}>
            {title}
          </Title>
          {shown.length > 0 && (
            <Tabs.List aria-label={title}>
              {shown.map(([name]) => (
                <Tabs.Tab key={name} value={name} py={4} px="xs">
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          )}
        </Group>
        {shown.map(([name, content]) => (
          <Tabs.Panel key={name} value={name}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text size="xs" c="dimmed">
        {shown.length === 0 ? none : note}
      </Text>
    </Stack>
  );
}

/** The request of an attempt, as far as it was stored; its body is the delivery's payload. */
function Request({ attempt, found }: AttemptViewProps): ReactNode {
  const { number, request_headers: headers } = attempt;
  const bytes = headers['content-length'];
  const isRecorded = Object.keys(headers).length > 0;
  return (
    <Pane
      title="Request"
      tabs={{
        Body: Object.keys(found.payload).length > 0 && (
          <Code label="the payload" text={JSON.stringify(found.payload, null, 2)} language="json" />
        ),
        Headers: isRecorded && (
          <Code
            label={`the request of attempt ${number}`}
            text={`POST ${found.callback_url}\n${headerLines(headers)}`}
          />
        ),
      }}
      none="The request was not recorded."
      note={
        isRecorded
          ? `${bytes === undefined ? '' : `${bytes} bytes as ${found.content_type}, including the token. `}The token and signatures are not stored.`
          : 'The request was not recorded.'
      }
    />
  );
}

function Response({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const {
    status_code: status,
    reply,
    reply_headers: headers,
    reply_bytes: bytes,
    reply_is_cut: isCut,
  } = attempt;
  const isPart = reply !== '' && bytes > bytesIn(reply);
  return (
    <Pane
      title="Response"
      tabs={{
        Body: reply !== '' && <Code label="the reply" text={pretty(reply)} />,
        Headers: Object.keys(headers).length > 0 && (
          <Code label="the headers of the reply" text={headerLines(headers)} />
        ),
      }}
      none={status > 0 ? 'Nothing was recorded.' : 'There was no response.'}
      note={
        bytes < 0
          ? ''
          : `${bytes} bytes${isCut ? ', of which not all was read' : ''}${isPart ? '; only the beginning is stored' : ''}.`
      }
    />
  );
}

/** Indents JSON; other texts, also the beginning of a long one, stay as they are. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
