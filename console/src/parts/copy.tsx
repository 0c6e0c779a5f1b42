import { type ReactNode, useEffect, useState } from 'react';

interface CopyProps {
  readonly text: string;
  readonly label: string;
  /** Button label. */
  readonly caption?: string;
}

const SHOWN_MS = 1_500;

/** A button that copies a text and shows whether it succeeded. */
export function Copy({ text, label, caption = 'Copy' }: CopyProps): ReactNode {
  const [outcome, setOutcome] = useState('');
  useEffect(() => {
    if (outcome === '') return undefined;
    const timer = setTimeout(() => setOutcome(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (button: HTMLElement): Promise<void> => {
    try {
      await write(text, button);
      setOutcome('Copied');
    } catch {
      setOutcome('Could not copy');
    }
  };
  return (
    <button
      type="button"
      className="small"
      onClick={({ currentTarget }) => void copy(currentTarget)}
      aria-label={label}
    >
      <span aria-live="polite">{outcome || caption}</span>
    </button>
  );
}

/** Browsers allow clipboard access only in secure contexts. */
async function write(text: string, button: HTMLElement): Promise<void> {
  if (!window.isSecureContext) return copyByHand(text, button);
  await navigator.clipboard.writeText(text).catch(() => copyByHand(text, button));
}

/** Copies via a field next to the button, because dialogs trap the focus. Throws if copying fails. */
function copyByHand(text: string, button: HTMLElement): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed'; // prevents the page from scrolling to it
  button.after(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  button.focus();
  if (!isCopied) throw new Error('The browser could not copy it.');
}
