import { type ReactNode, useState } from 'react';

interface CopyProps {
  readonly text: string;
  readonly label: string;
}

const SHOWN_MS = 1_500;

/** A button that copies a text, and says that it has. */
export function Copy({ text, label }: CopyProps): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await write(text).catch(() => copyByHand(text));
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" className="small" onClick={() => void copy()} aria-label={label}>
      <span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
    </button>
  );
}

/** Browsers give the clipboard to pages from TLS and this machine only. */
async function write(text: string): Promise<void> {
  if (!window.isSecureContext) return copyByHand(text);
  await navigator.clipboard.writeText(text);
}

function copyByHand(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
