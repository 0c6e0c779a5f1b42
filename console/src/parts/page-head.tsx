import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** The title of a page, with what can be done on it. */
export function PageHead({ title, children }: PageHeadProps): ReactNode {
  useEffect(() => {
    document.title = `${title} – Hookline`;
  }, [title]);
  return (
    <header className="page-head">
      <h1>{title}</h1>
      <div className="actions">{children}</div>
    </header>
  );
}
