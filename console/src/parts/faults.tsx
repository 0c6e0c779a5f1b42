import { Button, EmptyState } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { FaultText } from './fault-note';

interface FaultsProps {
  readonly children: ReactNode;
}

/** Error boundary: shows the error in place of the page. */
export class Faults extends Component<FaultsProps, { readonly error: Error | null }> {
  override state: { readonly error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return <Fault error={error} onAgain={() => this.setState({ error: null })} />;
  }
}

interface FaultProps {
  readonly error: Error;
  readonly onAgain: () => void;
}

function Fault({ error, onAgain }: FaultProps): ReactNode {
  const { reset } = useQueryErrorResetBoundary(); // otherwise failed queries are not retried
  return (
    <EmptyState
      icon={<IconAlertTriangle size={32} />}
      title="This page cannot be shown"
      description={<FaultText error={error} />}
      role="alert"
      py="xl"
    >
      <Button
        variant="default"
        onClick={() => {
          reset();
          onAgain();
        }}
      >
        Try again
      </Button>
    </EmptyState>
  );
}
