import { readFileSync, statSync } from 'node:fs';
import { CommandRefused } from '../../../platform/common/errors/command-refused.js';
import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';
import { requireFile } from '../../command.js';

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_DOCUMENTS = 10_000;
const MAX_NAMED_LINES = 10;
const EXPORT = 'mongoexport --collection=rocketchat_integrations --out=FILE';

/** Reads the documents of a file that `mongoexport` wrote. Throws CommandRefused, which names the lines that are invalid. */
export function readDocuments(file: string): readonly JsonObject[] {
  requireFile(file);
  if (statSync(file).size > MAX_FILE_BYTES)
    throw new CommandRefused(`${file} has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  const documents = documentsOf(textOf(file), file);
  if (documents.length === 0) throw new CommandRefused(`${file} is empty. Create it with: ${EXPORT}`);
  if (documents.length > MAX_DOCUMENTS)
    throw new CommandRefused(`${file} has more than ${MAX_DOCUMENTS} documents.`);
  return documents;
}

function textOf(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw new CommandRefused(`${file} is not UTF-8.`);
    throw error;
  }
}

/** The whole text may be one JSON value; otherwise each line is a document. Errors do not quote the text, which has tokens. */
export function documentsOf(text: string, file: string): JsonObject[] {
  const whole = parsed(text);
  const items: unknown[] = Array.isArray(whole) ? whole : whole === undefined ? [] : [whole];
  const lines = whole === undefined ? text.split('\n') : [];
  const invalid = items.flatMap((item, index) => (isJsonObject(item) ? [] : [`item ${index + 1}`]));
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const document = parsed(line);
    if (isJsonObject(document)) items.push(document);
    else invalid.push(`line ${index + 1}`);
  }
  if (invalid.length === 0) return items as JsonObject[];
  const more = invalid.length > MAX_NAMED_LINES ? `, and ${invalid.length - MAX_NAMED_LINES} more` : '';
  throw new CommandRefused(
    `Nothing was imported: ${file} is not JSON with one object per line. Invalid: ${invalid.slice(0, MAX_NAMED_LINES).join(', ')}${more}. Create it with: ${EXPORT}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
