import { isUtf8 } from 'node:buffer';
import { isJsonObject } from '../../platform/common/json.js';
import { codeBlock, COLOR, type Formatted, link, md, report } from './layout.js';
import { jsonOrText, requireText, textAt, unexpected } from './sent.js';

const ATTRIBUTES = ['specversion', 'id', 'source', 'type', 'subject', 'time', 'dataschema'];
const BINARY = '(binary data)';
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/**
 * Formats a CloudEvent of version 1.0 in structured or binary mode (docs/contract/incoming-webhooks.md#formats).
 * Throws PayloadError.
 */
export function cloudevents(body: unknown, headers: Readonly<Record<string, string>>): Formatted {
  const isBinary = headers['ce-specversion'] !== undefined;
  const event = isBinary ? attributesOf(headers) : body;
  if (!isJsonObject(event)) throw unexpected('the body must be one CloudEvent as a JSON object');
  if (!requireText(event, 'specversion').startsWith('1.')) throw unexpected('specversion must be 1.0');
  for (const name of ['id', 'source', 'type']) requireText(event, name);
  const data = isBinary ? body : (event['data'] ?? decodedData(textAt(event, 'data_base64')));
  const source = textAt(event, 'source');
  return report({
    text: md`${textAt(event, 'type')} from ${link(source, source)}`,
    color: COLOR.info,
    details: codeBlock(typeof data === 'string' ? readable(data) : JSON.stringify(data, null, 2)),
    fields: [
      ['Subject', textAt(event, 'subject')],
      ['Time', textAt(event, 'time')],
      ['Id', textAt(event, 'id')],
    ],
  });
}

/** Data in base64, which may be JSON or text as well. */
function decodedData(base64: string): unknown {
  const data = Buffer.from(base64, 'base64');
  return isUtf8(data) ? jsonOrText(data.toString()) : BINARY;
}

/** Text as it is; a note instead of bytes that are not text. */
function readable(text: string): string {
  return CONTROL.test(text) ? BINARY : text;
}

/** The attributes in the headers of binary mode, which are percent-encoded. */
function attributesOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(ATTRIBUTES.map((name) => [name, decoded(headers[`ce-${name}`] ?? '')]));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
