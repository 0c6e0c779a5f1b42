import { Badge as Pill } from '@mantine/core';
import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDotted,
  IconCircleXFilled,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Severity of a state: good, neutral, warning, bad. */
export type Tone = 'good' | 'quiet' | 'warning' | 'bad';

const COLORS = { good: 'green', quiet: 'gray', warning: 'yellow', bad: 'red' } as const;
const ICONS = {
  good: IconCircleCheckFilled,
  quiet: IconCircleDotted,
  warning: IconAlertTriangleFilled,
  bad: IconCircleXFilled,
} as const;

interface BadgeProps {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** Replaces the icon of the tone. */
  readonly icon?: TablerIcon | undefined;
}

/** A short state label: tones differ by colour and icon. */
export function Badge({ tone, children, icon: Icon = ICONS[tone] }: BadgeProps): ReactNode {
  return (
    <Pill
      className="badge"
      data-tone={tone}
      color={COLORS[tone]}
      variant="light"
      size="lg"
      radius="sm"
      px={6}
      h={22}
      fz={12}
      fw={500}
      tt="none"
      leftSection={<Icon size={13} aria-hidden />}
    >
      {children}
    </Pill>
  );
}
