import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

interface FaultNoteProps {
  readonly error: Error;
  /** Explanation shown before the server's message, if it needs one. */
  readonly meaning?: string | undefined;
  /** Not announced immediately, because it changes as the user types. */
  readonly isQuiet?: boolean;
}

/** An error message with the request id for the server log. */
export function FaultNote({ error, meaning, isQuiet = false }: FaultNoteProps): ReactNode {
  const requestId = error instanceof ApiError ? error.requestId : '';
  return (
    <p className="fault" {...(isQuiet ? {} : { role: 'alert' })}>
      {meaning ?? error.message}
      {meaning !== undefined && <small className="muted"> The server says: {error.message}</small>}
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
