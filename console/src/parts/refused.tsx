import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

/** Whether the server refused the request as forbidden. */
export const isRefused = (error: Error | null): boolean => error instanceof ApiError && error.status === 403;

/** Shown to users who may not see webhooks. */
export function WebhooksRefused({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <p>Only administrators can manage the webhooks of a team. Ask one of them.</p>
      {children}
    </div>
  );
}
