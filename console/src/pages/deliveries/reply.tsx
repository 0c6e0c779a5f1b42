import type { ReactNode } from 'react';
import { Code } from '../../parts/code';
import { headerLines } from './texts';

interface ReplyProps {
  readonly headers: object;
  readonly body: string;
}

/** A receiver's response: the body, and the headers on demand. */
export function Reply({ headers, body }: ReplyProps): ReactNode {
  return (
    <>
      {body !== '' && <Code label="the reply" text={body} />}
      {Object.keys(headers).length > 0 && (
        <details>
          <summary>Headers</summary>
          <Code label="the headers of the reply" text={headerLines(headers)} />
        </details>
      )}
    </>
  );
}
