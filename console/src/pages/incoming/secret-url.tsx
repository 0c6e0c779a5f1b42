import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Copy } from '../../parts/copy';

interface SecretUrlProps {
  readonly url: string;
  /** The part that is shown on demand. */
  readonly secret: string;
  readonly label: string;
}

/** A URL that is a secret, shown on demand. */
export function SecretUrl({ url, secret, label }: SecretUrlProps): ReactNode {
  const [isShown, setShown] = useState(false);
  return (
    <span className="row">
      <code>{isShown ? url : url.replace(secret, '••••••••••••')}</code>
      <Button variant="default" size="compact-xs" onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
      </Button>
      <Copy text={url} label={`Copy the ${label}`} />
    </span>
  );
}
