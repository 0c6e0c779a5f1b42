import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  readonly title: string;
  /** The link to the list that the record of the page is in. */
  readonly parent?: ReactNode;
  /** How the record stands. */
  readonly state?: ReactNode;
  readonly children?: ReactNode;
}

/** The title of a page, with the way back, how what it shows stands, and what can be done on it. */
export function PageHead({ title, parent, state, children }: PageHeadProps): ReactNode {
  useEffect(() => {
    document.title = `${title} – Hookline`;
  }, [title]);
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
