/** Checks for every response of the server to a test client. */
import { findContractFault } from './contract.mjs';
import { reportFault } from './faults.mjs';
import { findSecrets, learnFrom, withoutSecrets } from './secrets.mjs';

/** Checks what the API client received. @param {import('./api-client.mjs').Exchange} exchange */
export function checkExchange(exchange) {
  const { method, path, answer, isLocal, isBroken } = exchange;
  learnFrom(exchange);
  checkSecrets(answer.status, answer.text, `${method} ${path}`);
  if (!(isBroken && answer.status === 500)) checkContract(answer, method, path, isLocal);
}

/**
 * Checks what any other client received. A request that is not even HTTP has no method and no path.
 *
 * @param {{ readonly status: number, readonly headers: any, readonly text?: string, readonly body?: unknown }} answer
 */
export function checkAnswer({ status, headers, text, body }, method = '', path = '') {
  const received = text ?? String(body);
  checkSecrets(status, received, `${method} ${path}`);
  checkContract({ status, headers, text: received }, method, path);
}

/** @param {{ status: number, headers: any, text: string }} answer @param {string} method @param {string} path */
function checkContract({ status, headers, text }, method, path, isLocal = false) {
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

function checkSecrets(
  /** @type {number} */ status,
  /** @type {string} */ text,
  /** @type {string} */ request,
) {
  if (status < 400) return;
  const kinds = findSecrets(text);
  if (kinds.length === 0) return;
  reportFault(
    withoutSecrets(`A secret (${kinds.join(', ')}) is in the error that answers ${request}: ${text}`),
  );
}
