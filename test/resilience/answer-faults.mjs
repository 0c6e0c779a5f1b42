/** Finds what is wrong with a response to a generated request. */
import { findContractFault } from '../support/contract.mjs';

const ID = /^[a-z0-9]{26}$/;
/** Internals that must never appear in a response. */
const INSIDE =
  /node_modules|\/src\/\w|\.js:\d+:\d+|SqliteError|QueryFailedError|SQLITE_|\bER_[A-Z]{3}|INSERT INTO|SELECT .* FROM/;
const MAX_ERROR_BYTES = 64 * 1024;

/** Returns what is wrong with the response, or undefined. `offFeatures` are the ids allowed with 501. */
export function findFault(request, answer, offFeatures) {
  const { status, headers, body } = answer;
  if (status === 101)
    return request.route.endsWith('/websocket') ? undefined : 'The connection was upgraded.';
  if (!ID.test(headers['x-request-id'] ?? '')) return 'X-Request-ID is missing.';
  const text = body.toString('utf8');
  if (status >= 500) {
    const isOff = status === 501 && (request.method === 'HEAD' || offFeatures.has(readId(text)));
    if (!isOff) return `Status ${status}.`;
  }
  if (status >= 400 && body.length > MAX_ERROR_BYTES) return 'The error repeats what was sent.';
  if (isIntrusion(request, status)) return 'A stranger was let in.';
  if (isMissingPage(request, answer)) return undefined;
  const fault = status >= 400 ? findErrorFault(request, answer, text) : findJsonFault(request, answer, text);
  return fault ?? findDocumentFault(request, answer, text);
}

/** A redirect to the clean path reveals nothing. */
function isIntrusion({ isRouted, isGuarded, role }, status) {
  return isRouted && isGuarded && role === 'anonymous' && status < 400 && status !== 301;
}

function isMissingPage({ target }, { status, headers }) {
  const isApi = /^(https?:\/\/[^/]*)?\/api\//.test(target);
  return !isApi && status === 404 && headers['content-type']?.startsWith('text/html');
}

function findJsonFault({ method }, { status, headers }, text) {
  const isMeant = headers['content-type'] === 'application/json' && method !== 'HEAD' && status !== 304;
  return isMeant && !isJson(text) ? 'The body is not the JSON that it claims to be.' : undefined;
}

function findDocumentFault({ method, target, role }, { status, headers }, text) {
  return findContractFault({
    method,
    path: target,
    status,
    contentType: headers['content-type'],
    text,
    isLocal: role === 'local',
  });
}

function findErrorFault(request, { status, headers }, text) {
  const type = headers['content-type'];
  if (type !== 'application/json') return `Content-Type is ${type}.`;
  if (request.method === 'HEAD') return undefined;
  if (!isJson(text)) return 'The error is no JSON.';
  const error = JSON.parse(text);
  if (error.status_code !== status) return 'status_code is not the status.';
  if (error.request_id !== headers['x-request-id']) return 'request_id is not X-Request-ID.';
  if (!error.message || !error.id) return 'The error says nothing.';
  if (INSIDE.test(error.message)) return 'The message shows the inside of the server.';
  return undefined;
}

function readId(text) {
  return isJson(text) ? JSON.parse(text)?.id : undefined;
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
