import type { ReactNode } from 'react';

interface CallbackWarningsProps {
  readonly warnings: readonly string[] | undefined;
}

/** What the server said of URLs that it will not call. It names the field first, which people need not know. */
export function CallbackWarnings({ warnings = [] }: CallbackWarningsProps): ReactNode {
  return warnings.map((warning) => (
    <p key={warning} className="advice" role="status">
      {warning.replace(/^callback_urls: /, '')}.
    </p>
  ));
}
