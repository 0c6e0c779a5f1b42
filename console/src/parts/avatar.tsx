import { Avatar as Circle } from '@mantine/core';
import type { ReactNode } from 'react';

/** Those whose darkest shade is readable on their lightest. */
const COLORS = ['iris', 'blue', 'green', 'red', 'yellow', 'grape', 'cyan'];

interface AvatarProps {
  readonly name: string;
  /** Shown instead of the first letters, such as an emoji. */
  readonly children?: ReactNode;
}

/** A user, bot or webhook as a circle with its first letters, in a colour of its name. */
export function Avatar({ name, children }: AvatarProps): ReactNode {
  return (
    <Circle
      name={name}
      color="initials"
      allowedInitialsColors={COLORS}
      size={28}
      radius="sm"
      aria-hidden={children === undefined}
    >
      {children}
    </Circle>
  );
}
