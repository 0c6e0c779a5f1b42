import { useEffect, useRef } from 'react';

/** What Escape does in each open dialog, the topmost last. */
const layers: (() => void)[] = [];

document.addEventListener(
  'keydown',
  ({ key, isComposing, target }) => {
    const isTaken =
      target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
    if (key === 'Escape' && !isComposing && !isTaken) layers.at(-1)?.();
  },
  true,
);

/** Handles Escape in the topmost dialog only; each of Mantine's dialogs would close itself. */
export function useEscape(isOpen: boolean, onEscape: () => void): void {
  const latest = useRef(onEscape);
  useEffect(() => {
    latest.current = onEscape;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const layer = (): void => latest.current();
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, [isOpen]);
}
