import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';
import { Empty } from './empty';

/** Whether the server refused the request as forbidden. */
export const isRefused = (error: Error | null): boolean => error instanceof ApiError && error.status === 403;

/** Shown to users who may not see webhooks. */
export function WebhooksRefused({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <Empty
      icon={IconLock}
      text="Only administrators can manage the webhooks of a team. Ask one of them to add you or the webhook."
    >
      {children}
    </Empty>
  );
}
