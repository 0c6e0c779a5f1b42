/** Checks that hold for every answer of the server to a test client. */
import { findContractFault } from './contract.mjs';
import { reportFault } from './faults.mjs';

/** Checks what the API client received. @param {import('./api-client.mjs').Exchange} exchange */
export function checkExchange({ method, path, answer, isLocal, isBroken }) {
  if (isBroken && answer.status === 500) return;
  checkAnswer(answer, method, path, isLocal);
}

/**
 * Checks what any other client received. A request that is not even HTTP has no method and no path.
 *
 * @param {{ readonly status: number, readonly headers: any, readonly text?: string, readonly body?: unknown }} answer
 */
export function checkAnswer({ status, headers, text, body }, method = '', path = '', isLocal = false) {
  const contentType = headers['content-type'];
  const fault = findContractFault({ method, path, status, contentType, text: text ?? String(body), isLocal });
  if (fault) reportFault(fault);
}
