import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error';
import { Copy } from './copy';

interface ErrorStateProps {
  readonly error: Error;
  /** What happened, in a few words. */
  readonly title?: string;
  readonly onRetry?: (() => void) | undefined;
}

/** What happened, what to do, and the id of the request for the server log. */
export function ErrorState({
  error,
  title = 'This could not be loaded',
  onRetry,
}: ErrorStateProps): ReactNode {
  const requestId = error instanceof ApiError ? error.requestId : '';
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Text size="sm">
        {error.message} {adviceFor(error)}
      </Text>
      <Group gap="xs" mt="xs">
        {onRetry && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={onRetry}
          >
            Try again
          </Button>
        )}
        {requestId !== '' && (
          <Group gap={4} c="dimmed" fz="xs">
            Request <Code>{requestId}</Code>
            <Copy text={requestId} label="Copy the request ID" />
          </Group>
        )}
      </Group>
    </Alert>
  );
}

function adviceFor(error: Error): string {
  if (!(error instanceof ApiError)) return 'Reload the page. If it happens again, report it.';
  const { status } = error;
  if (status === 0 || status === 408) return 'Check your connection and that the server is running.';
  if (status === 403) return 'Ask an administrator for access.';
  if (status === 429) return 'Wait a moment.';
  return status >= 500 ? 'Try again. If it happens again, look for the request in the server log.' : '';
}
