import { CommandRefused } from '../../platform/common/errors/command-refused.js';
import { networkReasonOf } from '../api-target.js';

/** A record of the API. */
export type Row = Readonly<Record<string, unknown>>;

const TIMEOUT_MS = 60_000;
const PAGE = 200;
const MAX_ROWS = 10_000;

/** The server has refused a request. */
export class Refusal extends CommandRefused {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The API of a server, with the token of the caller. Throws Refusal, or CommandRefused if there is no response. */
export class ServerApi {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async send(method: string, path: string, body?: unknown): Promise<unknown> {
    let response: Response;
    let answer: unknown;
    try {
      response = await fetch(`${this.url}/api/v4${path}`, {
        ...{ method, redirect: 'error' },
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      answer = await response.json().catch(() => undefined);
    } catch (error) {
      throw new CommandRefused(`The server does not respond: ${networkReasonOf(error)}`);
    }
    if (response.ok && answer !== undefined) return answer;
    const { message } = (answer ?? {}) as { message?: string };
    throw new Refusal(
      response.status,
      `The server responded with ${response.status}: ${message ?? response.statusText}`,
    );
  }

  /** All pages of a list. With `cursor`, each page begins after the last row of the previous one, by this column. */
  async list(path: string, cursor?: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let page = 0; ; page++) {
      const last = cursor === undefined ? undefined : rows.at(-1)?.[cursor];
      const place = last === undefined ? `page=${page}` : `after=${last as string}`;
      const next = (await this.send(
        'GET',
        `${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE}&${place}`,
      )) as Row[];
      rows.push(...next);
      if (rows.length > MAX_ROWS)
        throw new CommandRefused(`The server has more than ${MAX_ROWS} objects of a kind; that is too many.`);
      if (next.length < PAGE) return rows;
    }
  }
}
