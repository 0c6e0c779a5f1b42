/** Requests as bytes. */
const CHUNK_BYTES = 16_384;
/** More than the size limit of the server. */
const TOO_MANY_BYTES = 5_000_000;

/** The bytes on the wire. `framing` is length, chunked, short (the body never ends) or over-limit. */
export function encode({ method, target, headers, body, framing }) {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const bytes = body ?? Buffer.alloc(0);
  const declared = { short: bytes.length + 100, 'over-limit': TOO_MANY_BYTES }[framing] ?? bytes.length;
  if (framing === 'chunked') lines.push('Transfer-Encoding: chunked');
  else if (body || framing !== 'length') lines.push(`Content-Length: ${declared}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return [head, framing === 'chunked' ? chunked(bytes) : bytes];
}

function chunked(bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const piece = bytes.subarray(at, at + CHUNK_BYTES);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from('0\r\n\r\n'));
  return Buffer.concat(pieces);
}
