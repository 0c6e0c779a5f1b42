import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

/** What went wrong, in plain words, with the id by which the server's log knows the request. */
export function FaultNote({ error }: { readonly error: Error }): ReactNode {
  const requestId = error instanceof ApiError ? error.requestId : '';
  return (
    <p className="fault" role="alert">
      {error.message}
      {requestId && (
        <>
          {' '}
          <small className="muted">
            Request <code>{requestId}</code>
          </small>
        </>
      )}
    </p>
  );
}
