import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Shown for a page that does not exist. */
export function NotFound(): ReactNode {
  return (
    <div className="empty">
      <h1>Page not found</h1>
      <p>
        There is no page at this address. <Link to="/">Go home</Link>
      </p>
    </div>
  );
}
