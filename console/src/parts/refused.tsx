import { EmptyState } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

/** Whether the server refused the request as forbidden. */
export const isRefused = (error: Error | null): boolean => error instanceof ApiError && error.status === 403;

/** Shown to users who may not see webhooks. */
export function WebhooksRefused({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <EmptyState
      icon={<IconLock size={32} />}
      title="Only administrators can manage the webhooks of a team."
      description="Ask one of them to add you or the webhook."
      py="xl"
    >
      {children}
    </EmptyState>
  );
}
