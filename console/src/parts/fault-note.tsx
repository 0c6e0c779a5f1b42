import { Alert, Code } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

interface FaultTextProps {
  readonly error: Error;
  /** Explanation shown before the server's message, if it needs one. */
  readonly meaning?: string | undefined;
}

interface FaultNoteProps extends FaultTextProps {
  /** Not announced immediately, because it changes as the user types. */
  readonly isQuiet?: boolean;
}

/** An error message with the request id for the server log. */
export function FaultNote({ isQuiet = false, ...fault }: FaultNoteProps): ReactNode {
  return (
    <Alert
      className="fault"
      color="red"
      icon={<IconAlertCircle />}
      my="xs"
      p="xs"
      role={isQuiet ? 'note' : 'alert'}
    >
      <FaultText {...fault} />
    </Alert>
  );
}

/** The text of a `FaultNote`, for places that are marked as an error already. */
export function FaultText({ error, meaning }: FaultTextProps): ReactNode {
  const requestId = error instanceof ApiError ? error.requestId : '';
  return (
    <>
      {meaning ?? error.message}
      {meaning !== undefined && <small> The server says: {error.message}</small>}
      {requestId && (
        <>
          {' '}
          <small>
            Request <Code>{requestId}</Code>
          </small>
        </>
      )}
    </>
  );
}
