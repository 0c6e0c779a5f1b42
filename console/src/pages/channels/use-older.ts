import { useCallback, useState } from 'react';
import { readOlder } from './channel-history';

interface Older {
  /** Whether `load` may be called: it is not running and has not failed. */
  readonly isReady: boolean;
  readonly error: Error | null;
  readonly load: () => void;
}

/** Loads messages older than the oldest known one. */
export function useOlder(channelId: string): Older {
  const [isReading, setReading] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const load = useCallback(() => {
    setReading(true);
    setError(null);
    void readOlder(channelId)
      .catch((reason: unknown) => setError(reason as Error))
      .finally(() => setReading(false));
  }, [channelId]);
  return { isReady: !isReading && !error, error, load };
}
