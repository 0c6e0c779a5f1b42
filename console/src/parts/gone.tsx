import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error';
import { Empty } from './empty';

interface GoneProps {
  /** Kind of record, such as "webhook". */
  readonly what: string;
  /** Link to the list. */
  readonly list: ReactNode;
}

/** Shown for a record that does not exist; retrying does not help. */
export function Gone({ what, list }: GoneProps): ReactNode {
  return (
    <div role="status">
      <Empty
        isPage
        icon={IconTrash}
        title={`This ${what} is gone`}
        text="It was deleted, or the link is wrong."
      >
        {list}
      </Empty>
    </div>
  );
}

/** Whether the record does not exist or its id is invalid. */
export const isGone = (error: Error): boolean =>
  error instanceof ApiError &&
  (error.status === 404 || error.id === 'api.context.invalid_url_param.app_error');
