import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

/** Whether the server says that the user may not do this. */
export const isRefused = (error: Error | null): boolean => error instanceof ApiError && error.status === 403;

/** What stands in place of webhooks for who may not see them. */
export function WebhooksRefused({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <p>Only administrators can manage the webhooks of a team. Ask one of them.</p>
      {children}
    </div>
  );
}
