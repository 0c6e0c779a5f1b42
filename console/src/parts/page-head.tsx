import { Box, Group, Text, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { usePageTitle } from '../app/page-title';

interface PageHeadProps {
  readonly title: string;
  /** Link to the parent list. */
  readonly parent?: ReactNode;
  /** Badges with the state of the record. */
  readonly state?: ReactNode;
  /** What the page is for, in one sentence. */
  readonly description?: ReactNode;
  /** Actions of the page. */
  readonly children?: ReactNode;
}

/** Page title with a link to its list, the record's state, a description and actions. */
export function PageHead({ title, parent, state, description, children }: PageHeadProps): ReactNode {
  usePageTitle(title);
  return (
    <Group component="header" className="page-head" justify="space-between" align="end" gap="sm" mb="md">
      <Box miw={0} maw="100%">
        {parent !== undefined && (
          <Group gap={2} c="dimmed" fz="sm" mb={2}>
            <IconChevronLeft size={14} aria-hidden />
            {parent}
          </Group>
        )}
        <Group gap="xs">
          <Title order={1} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {state}
        </Group>
        {description !== undefined && (
          <Text size="sm" c="dimmed" mt={2}>
            {description}
          </Text>
        )}
      </Box>
      {children !== undefined && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
