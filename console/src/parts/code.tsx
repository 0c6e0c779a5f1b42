import type { ReactNode } from 'react';
import { Copy } from './copy';

/** Text as it is, with a button that copies it. */
export function Code({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  return (
    <div className="code">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Copy text={text} label={`Copy ${label}`} />
    </div>
  );
}
