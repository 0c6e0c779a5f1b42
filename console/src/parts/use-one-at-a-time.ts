import { useEffect, useRef } from 'react';

/** Runs `act` on each call; calls made while it runs share one subsequent run. */
export function useOneAtATime(act: () => Promise<void>): () => Promise<void> {
  const state = useRef({ isRunning: false, isAgain: false });
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return async () => {
    const current = state.current;
    current.isAgain = true;
    if (current.isRunning) return;
    current.isRunning = true;
    try {
      while (current.isAgain) {
        current.isAgain = false;
        await latest.current();
      }
    } finally {
      current.isRunning = false;
    }
  };
}
