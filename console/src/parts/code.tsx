import type { ReactNode } from 'react';
import { Copy } from './copy';

interface CodeProps {
  readonly text: string;
  readonly label: string;
  /** A part of the text that is not shown, only copied. */
  readonly secret?: string;
}

/** Text as it is, with a button that copies it. */
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
