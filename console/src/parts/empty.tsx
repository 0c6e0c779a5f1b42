import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconInbox, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyProps {
  readonly icon?: TablerIcon;
  /** What is missing, in a few words. */
  readonly title?: ReactNode;
  /** Set if it takes the place of the page. */
  readonly isPage?: boolean;
  /** One sentence: what would be here, and how it gets here. */
  readonly text: ReactNode;
  /** One button or link. */
  readonly children?: ReactNode;
}

/** Stands where a list or record would be: an icon, one sentence, and one button. */
export function Empty({
  icon: Icon = IconInbox,
  title,
  isPage = false,
  text,
  children,
}: EmptyProps): ReactNode {
  return (
    <Stack align="center" gap="xs" px="md" py={48} ta="center">
      <ThemeIcon size={48} radius="xl" variant="light" color="gray" aria-hidden>
        <Icon size={26} stroke={1.5} />
      </ThemeIcon>
      {title !== undefined && (
        <Title order={isPage ? 1 : 2} fz={15} m={0}>
          {title}
        </Title>
      )}
      <Text size="sm" c="dimmed" maw={440}>
        {text}
      </Text>
      {children}
    </Stack>
  );
}
