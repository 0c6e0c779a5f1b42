import type { ReactNode } from 'react';

interface CallbackWarningsProps {
  readonly warnings: readonly string[] | undefined;
}

/** Server warnings about URLs it will not call, without the field name at the start. */
export function CallbackWarnings({ warnings = [] }: CallbackWarningsProps): ReactNode {
  return warnings.map((warning) => (
    <p key={warning} className="advice" role="status">
      {warning.replace(/^callback_urls: /, '')}.
    </p>
  ));
}
