import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

interface FaultNoteProps {
  readonly error: Error;
  /** What it means, where the server's own words need it. They follow. */
  readonly meaning?: string | undefined;
  /** It is not announced at once: it comes and goes as one types. */
  readonly isQuiet?: boolean;
}

/** What went wrong, in plain words, with the id by which the server's log knows the request. */
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
