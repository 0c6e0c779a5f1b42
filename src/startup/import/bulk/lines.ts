import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ZipFile } from 'yauzl';
import { CommandRefused } from '../../../platform/common/errors/command-refused.js';
import { isJsonObject, type JsonObject } from '../../../platform/common/json.js';

const MAX_LINE_LENGTH = 16 * 1024 * 1024;

/** A line of an export: its type, and the object of that name. */
export interface ExportLine {
  readonly number: number;
  readonly type: string;
  readonly value: JsonObject;
}

/** The lines of an export, a `.jsonl` file or the zip archive around it. Throws CommandRefused, naming the line. */
export async function* exportLines(file: string): AsyncGenerator<ExportLine> {
  const input = file.toLowerCase().endsWith('.zip') ? await openZipped(file) : createReadStream(file);
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      number++;
      if (line.trim() !== '') yield parsed(file, number, line);
    }
  } catch (error) {
    if (error instanceof CommandRefused) throw error;
    throw new CommandRefused(`${file} cannot be read after line ${number}: ${(error as Error).message}`);
  } finally {
    input.destroy();
  }
}

function parsed(file: string, number: number, line: string): ExportLine {
  const refuse = (reason: string): CommandRefused => new CommandRefused(`${file}, line ${number}: ${reason}`);
  if (line.length > MAX_LINE_LENGTH) throw refuse('the line is too long.');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refuse('this is not JSON. A bulk export has one JSON object in each line.');
  }
  const type = isJsonObject(value) ? value['type'] : undefined;
  if (!isJsonObject(value) || typeof type !== 'string') throw refuse('the object has no type.');
  if (number === 1 && type !== 'version') throw refuse('a bulk export begins with its version.');
  const content = value[type];
  if (type === 'version') return { number, type, value: {} };
  if (!isJsonObject(content)) throw refuse(`the object has no "${type}".`);
  return { number, type, value: content };
}

async function openZipped(file: string): Promise<Readable> {
  const { openPromise } = await import('yauzl');
  let zip: ZipFile;
  try {
    zip = await openPromise(file);
  } catch (error) {
    throw new CommandRefused(`${file} is not a zip archive: ${(error as Error).message}`);
  }
  for await (const entry of zip.eachEntry())
    if (/^[^/]*\.jsonl$/.test(entry.fileName)) return zip.openReadStreamPromise(entry);
  throw new CommandRefused(`${file} contains no .jsonl file.`);
}
