import type { ReactNode } from 'react';
import { usePageTitle } from '../app/page-title';

interface PageHeadProps {
  readonly title: string;
  /** Link to the parent list. */
  readonly parent?: ReactNode;
  /** State of the record. */
  readonly state?: ReactNode;
  readonly children?: ReactNode;
}

/** Page title with a back link, the record's state, and actions. */
export function PageHead({ title, parent, state, children }: PageHeadProps): ReactNode {
  usePageTitle(title);
  return (
    <header className="page-head">
      <div className="page-title">
        {parent !== undefined && (
          <p className="parent">
            <span aria-hidden="true">‹ </span>
            {parent}
          </p>
        )}
        <h1>{title}</h1>
        {state}
      </div>
      <div className="actions">{children}</div>
    </header>
  );
}
