/** Checks that hold for every answer of the server to a test client. */
import { findContractFault } from './contract.mjs';
import { reportFault } from './faults.mjs';

/** @param {import('./api-client.mjs').Exchange} exchange */
export function checkAnswer({ method, path, answer, isLocal, isBroken }) {
  const { status, headers, text } = answer;
  if (isBroken && status === 500) return;
  const fault = findContractFault({
    method,
    path,
    status,
    contentType: headers['content-type'],
    text,
    isLocal,
  });
  if (fault) reportFault(fault);
}

/**
 * Checks what a raw connection received. A request that is not even HTTP has no method and no path.
 *
 * @param {{ readonly status: number, readonly headers: any, readonly body: Buffer }} answer
 */
export function checkRawAnswer({ status, headers, body }, method = '', path = '') {
  const contentType = headers['content-type'];
  const fault = findContractFault({ method, path, status, contentType, text: body.toString('utf8') });
  if (fault) reportFault(fault);
}
