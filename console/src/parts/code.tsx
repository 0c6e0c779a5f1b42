import type { ReactNode } from 'react';
import { Copy } from './copy';

interface CodeProps {
  readonly text: string;
  readonly label: string;
  /** Part of the text that is masked on screen but included in the copy. */
  readonly secret?: string;
}

/** Preformatted text with a copy button. */
export function Code({ text, label, secret = '' }: CodeProps): ReactNode {
  return (
    <div className="code">
      <pre tabIndex={0} aria-label={label}>
        {secret === '' ? text : text.replaceAll(secret, '••••••••••••')}
      </pre>
      <Copy text={text} label={`Copy ${label}`} />
    </div>
  );
}
