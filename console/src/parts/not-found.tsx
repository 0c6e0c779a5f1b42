import { IconMapPinOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Empty } from './empty';

/** Shown for a page that does not exist. */
export function NotFound(): ReactNode {
  return (
    <Empty isPage icon={IconMapPinOff} title="Page not found" text="There is no page at this address.">
      <Link to="/">Go home</Link>
    </Empty>
  );
}
