import { Alert, Group, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  /** Shown at the right of the title. */
  readonly aside?: ReactNode;
  readonly description?: string;
  readonly children: ReactNode;
}

/** A titled box of a page. */
export function Section({ title, aside, description, children }: SectionProps): ReactNode {
  return (
    <Paper withBorder p="md" mb="lg" fz="sm" component="section" aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3" m={0}>
          {title}
        </Title>
        {aside}
      </Group>
      {description !== undefined && (
        <Text size="sm" c="dimmed" mb="xs">
          {description}
        </Text>
      )}
      {children}
    </Paper>
  );
}

interface BannerProps {
  readonly title?: ReactNode;
  readonly isBad?: boolean;
  readonly children?: ReactNode;
}

/** What is wrong with a record, and what to do. */
export function Banner({ title, isBad = false, children }: BannerProps): ReactNode {
  return (
    <Alert
      mb="md"
      role="status"
      color={isBad ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
    >
      {children}
    </Alert>
  );
}
