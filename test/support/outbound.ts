import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Registry } from 'prom-client';
import { OutboundSettings } from '../../src/delivery/outbound/outbound.settings.js';
import {
  OutboundClient,
  type OutboundReply,
  type OutboundRequest,
} from '../../src/delivery/outbound/outbound-client.js';
import { OutboundFailure } from '../../src/delivery/outbound/outbound-failure.js';
import { OutboundModule } from '../../src/delivery/outbound/outbound.module.js';
import { MetricsService } from '../../src/platform/metrics/metrics.service.js';

export interface Outbound {
  readonly client: OutboundClient;
  /** Sends a short POST with a timeout of five seconds by default. */
  post(url: string, change?: Partial<OutboundRequest>, signal?: AbortSignal): Promise<OutboundReply>;
  /** Returns the failure of such a call. Throws if the call succeeds. */
  failureOf(url: string, change?: Partial<OutboundRequest>, signal?: AbortSignal): Promise<OutboundFailure>;
  close(): Promise<void>;
}

/** The outbound client alone, with settings by the names of their variables. */
export async function startOutbound(env: Record<string, string> = {}): Promise<Outbound> {
  @Global()
  @Module({
    providers: [
      { provide: OutboundSettings, useValue: new OutboundSettings(env) },
      { provide: MetricsService, useValue: { registry: new Registry() } },
    ],
    exports: [OutboundSettings, MetricsService],
  })
  class TestSettingsModule {}
  const module = await Test.createTestingModule({ imports: [TestSettingsModule, OutboundModule] }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  const client = app.get(OutboundClient);
  const post: Outbound['post'] = (url, change, signal) =>
    client.send(
      {
        method: 'POST',
        url,
        headers: { 'Content-Type': 'text/plain' },
        body: 'x',
        timeoutMs: 5_000,
        ...change,
      },
      signal,
    );
  return {
    client,
    post,
    failureOf: async (url, change, signal) => {
      const result = await post(url, change, signal).catch((error: unknown) => error);
      if (result instanceof OutboundFailure) return result;
      throw new Error(`Not a failure: ${JSON.stringify(result)}`, { cause: result });
    },
    close: () => app.close(),
  };
}
