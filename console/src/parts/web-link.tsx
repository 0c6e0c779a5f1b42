import type { ReactNode } from 'react';
import { isAddress } from './is-address';

interface WebLinkProps {
  readonly to: string;
  readonly children: ReactNode;
}

/** An external link; only its text if the URL is not valid. */
export function WebLink({ to, children }: WebLinkProps): ReactNode {
  if (!isAddress(to)) return children;
  return (
    <a href={to} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}
