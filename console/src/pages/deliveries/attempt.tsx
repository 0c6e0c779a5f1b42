import type { ReactNode } from 'react';
import { Badge } from '../../parts/badge';
import { Code } from '../../parts/code';
import { ExactTime } from '../../parts/time';
import type { Attempt, DeliveryDetail } from './delivery-queries';
import { isSuccess, describeOutcome } from './error-classes';
import { Reply } from './reply';
import { bytesIn, headerLines } from './texts';
import { Waterfall } from './waterfall';

interface AttemptViewProps {
  readonly attempt: Attempt;
  readonly found: DeliveryDetail;
}

/** One attempt: the response first, then the timing and the request. */
export function AttemptView({ attempt, found }: AttemptViewProps): ReactNode {
  return (
    <section aria-label={`Attempt ${attempt.number}`}>
      <h2>
        Attempt {attempt.number}{' '}
        <Badge tone={isSuccess(attempt) ? 'good' : 'bad'}>{describeOutcome(attempt)}</Badge>
      </h2>
      <p>
        <ExactTime at={attempt.start_at} />, {attempt.duration_ms} ms. {attempt.note}
      </p>
      <Answered attempt={attempt} />
      <Waterfall attempt={attempt} />
      <Sent attempt={attempt} url={found.callback_url} />
    </section>
  );
}

interface SentProps {
  readonly attempt: Attempt;
  readonly url: string;
}

/** The request of an attempt, as far as it was stored; its body is the delivery's body. */
function Sent({ attempt, url }: SentProps): ReactNode {
  const { number, request_headers: headers } = attempt;
  const bytes = headers['content-length'];
  return (
    <details>
      <summary>Request</summary>
      {Object.keys(headers).length === 0 ? (
        <p className="muted">The request was not recorded.</p>
      ) : (
        <>
          <Code label={`the request of attempt ${number}`} text={`POST ${url}\n${headerLines(headers)}`} />
          <p className="muted">
            {bytes !== undefined && `The body has ${bytes} bytes. It is shown below without the token. `}
            Signatures are not stored.
          </p>
        </>
      )}
    </details>
  );
}

function Answered({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { reply, reply_headers: headers, reply_bytes: bytes, reply_is_cut: isCut } = attempt;
  return (
    <>
      {attempt.status_code > 0 && <h3>Response</h3>}
      <Reply headers={headers} body={reply} />
      {attempt.status_code > 0 && bytes >= 0 && (
        <p className="muted">
          The response body has {bytes} bytes
          {isCut && ', of which not all was read'}
          {reply !== '' && bytes > bytesIn(reply) && '; only its beginning is stored'}.
        </p>
      )}
    </>
  );
}
