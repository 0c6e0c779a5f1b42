import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** In place of a page that does not exist. */
export function NotFound(): ReactNode {
  return (
    <div className="empty">
      <h1>There is nothing here</h1>
      <p>
        The link leads to no page. <Link to="/">Go home</Link>
      </p>
    </div>
  );
}
