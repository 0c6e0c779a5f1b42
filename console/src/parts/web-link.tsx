import type { ReactNode } from 'react';
import { isAddress } from './is-address';

interface WebLinkProps {
  readonly to: string;
  readonly children: ReactNode;
}

/** A link to elsewhere; what it is called alone, if it leads nowhere. */
export function WebLink({ to, children }: WebLinkProps): ReactNode {
  if (!isAddress(to)) return children;
  return (
    <a href={to} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}
