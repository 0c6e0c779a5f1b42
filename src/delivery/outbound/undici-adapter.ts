import type { AxiosAdapter, AxiosRequestConfig, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.js';

/** The axios config of the outbound client; the reply is written to `exchange`. */
export interface ExchangeConfig extends AxiosRequestConfig {
  readonly exchange: Exchange;
  /** Names and values in turn: axios would read a header such as `get` as one of its methods. */
  readonly headerList: readonly string[];
}

/** While more connections than this are open, connections are closed after their reply. */
const MAX_KEPT = 512;

/** An axios adapter for an undici dispatcher, without streams, which are slow (`bench/outbound.mjs`). */
export function undiciAdapter(dispatcher: Dispatcher, openCount: () => number): AxiosAdapter {
  let running = 0;
  return async (config): Promise<AxiosResponse> => {
    const { exchange, method, headerList } = config as InternalAxiosRequestConfig & ExchangeConfig;
    running += 1;
    try {
      const options: Dispatcher.DispatchOptions = {
        origin: exchange.target.origin,
        path: exchange.target.path,
        method: (method ?? 'get').toUpperCase(),
        headers: [...headerList],
        body: (config.data ?? null) as string | Buffer | null,
        reset: Math.max(running, openCount()) > MAX_KEPT,
      };
      dispatcher.dispatch(options, exchange);
      await exchange.over;
    } finally {
      running -= 1;
    }
    return {
      data: exchange.body,
      status: exchange.status,
      statusText: '',
      headers: exchange.headers,
      config,
    };
  };
}
