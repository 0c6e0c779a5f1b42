import type { AxiosAdapter, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { type Dispatcher, request } from 'undici';

/**
 * Lets axios call through an undici dispatcher: a third of the CPU of its own way (`bench/outbound.mjs`). The reply's
 * body stays a stream, whatever its status.
 */
export function undiciAdapter(dispatcher: Dispatcher): AxiosAdapter {
  return async (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
    const { statusCode, headers, body } = await request(config.url ?? '', {
      dispatcher,
      method: (config.method ?? 'get').toUpperCase(),
      headers: config.headers as unknown as Record<string, string>,
      body: (config.data ?? null) as string | Buffer | null,
      signal: config.signal as AbortSignal,
    });
    return {
      data: body,
      status: statusCode,
      statusText: '',
      headers: headers as Record<string, string>,
      config,
    };
  };
}
