import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

interface GoneProps {
  /** What it was, such as a webhook. */
  readonly what: string;
  /** The link to the list of them. */
  readonly list: ReactNode;
}

/** In place of a record that is not there: to ask again does not help. */
export function Gone({ what, list }: GoneProps): ReactNode {
  return (
    <div className="empty" role="status">
      <h1>This {what} is gone</h1>
      <p>It was deleted, or the link is wrong. {list}</p>
    </div>
  );
}

/** Whether the server says that there is no such record, or that it can have no such id. */
export const isGone = (error: Error): boolean =>
  error instanceof ApiError &&
  (error.status === 404 || error.id === 'api.context.invalid_url_param.app_error');
