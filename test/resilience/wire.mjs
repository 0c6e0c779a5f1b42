/** Requests as bytes, valid or not. */

const CHUNK_BYTES = 16_384;

/** Invalid HTTP heads and lengths. The server may close the connection. */
export function breakFraming(request, random) {
  request.isBroken = true;
  request.framing = random.pick([
    'short',
    'long-declared',
    'over-limit',
    'bad-chunk',
    'both',
    'negative',
    'two-lengths',
    'bad-head',
    'huge-head',
    'bad-method',
    'bad-version',
  ]);
  request.body ??= Buffer.from('{}');
}

/** Declares a body above the size limit of the server. */
export function announceTooMuch(request) {
  request.isBroken = true;
  request.framing = 'over-limit';
}

/** The bytes on the wire. */
export function encode(request) {
  const { method, target, headers, body, framing } = request;
  let lines = [
    `${framing === 'bad-method' ? 'G ET' : method} ${target} HTTP/${framing === 'bad-version' ? '9.9' : '1.1'}`,
  ];
  lines = lines.concat(headers.map(([name, value]) => `${name}: ${value}`));
  let bytes = body ?? Buffer.alloc(0);
  const declare = (length) => lines.push(`Content-Length: ${length}`);
  switch (framing) {
    case 'chunked':
      lines.push('Transfer-Encoding: chunked');
      bytes = chunked(bytes);
      break;
    case 'bad-chunk':
      lines.push('Transfer-Encoding: chunked');
      bytes = Buffer.from('zz\r\nhello\r\n0\r\n\r\n');
      break;
    case 'both':
      lines.push('Transfer-Encoding: chunked');
      declare(bytes.length);
      break;
    case 'short':
      declare(bytes.length + 100);
      break;
    case 'long-declared':
      declare('99999999999999999999');
      break;
    case 'over-limit':
      declare(5_000_000);
      break;
    case 'negative':
      declare(-5);
      break;
    case 'two-lengths':
      declare(bytes.length);
      declare(bytes.length + 1);
      break;
    case 'bad-head':
      lines.push('no colon here', '\0: x');
      break;
    case 'huge-head':
      lines.push(`X-Huge: ${'x'.repeat(20_000)}`);
      break;
    default:
      if (body) declare(bytes.length);
  }
  return [Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes];
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
