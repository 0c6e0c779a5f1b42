import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode } from 'react';
import { ErrorState } from './error-state';

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
    <ErrorState
      title="This page cannot be shown"
      error={error}
      onRetry={() => {
        reset();
        onAgain();
      }}
    />
  );
}
