import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

interface GoneProps {
  /** Kind of record, such as "webhook". */
  readonly what: string;
  /** Link to the list. */
  readonly list: ReactNode;
}

/** Shown for a record that does not exist; retrying does not help. */
export function Gone({ what, list }: GoneProps): ReactNode {
  return (
    <div className="empty" role="status">
      <h1>This {what} is gone</h1>
      <p>It was deleted, or the link is wrong. {list}</p>
    </div>
  );
}

/** Whether the record does not exist or its id is invalid. */
export const isGone = (error: Error): boolean =>
  error instanceof ApiError &&
  (error.status === 404 || error.id === 'api.context.invalid_url_param.app_error');
