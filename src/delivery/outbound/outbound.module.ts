import { HttpModule } from '@nestjs/axios';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import { OutboundSettings } from './outbound.settings.js';
import { Declares } from '../../platform/modules/declares.js';
import { AddressGuard } from './address-guard.js';
import { GuardedConnector } from './guarded-connector.js';
import { LocalNames } from './local-names.js';
import { NameService } from './name-service.js';
import { OwnAddress } from './own-address.js';
import { ProxyTunnel } from './proxy-tunnel.js';
import { OutboundClient } from './outbound-client.js';
import { undiciAdapter } from './undici-adapter.js';

/** More than deliveries and test calls can use together, unless `OUTGOING_PER_ENDPOINT` exceeds 64. */
const CONNECTIONS_PER_ORIGIN = 72;
const MAX_IDLE_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/** The connection pool of the outbound client: keeps connections for a few seconds, closes on shutdown. */
@Injectable()
export class OutboundConnections implements OnApplicationShutdown {
  readonly agent: Agent;
  private readonly tunnel: ProxyTunnel | undefined;

  constructor(
    private readonly connector: GuardedConnector,
    settings: OutboundSettings,
  ) {
    const { outgoingProxy: proxy, outgoingProxyResolves } = settings;
    this.tunnel = proxy && new ProxyTunnel(proxy, outgoingProxyResolves);
    this.agent = new Agent({
      connect: connector.build(Math.min(CONNECT_TIMEOUT_MS, settings.outgoingTimeoutMs), this.tunnel),
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      keepAliveTimeout: MAX_IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0, // the client has one deadline for the whole call
      bodyTimeout: 0,
    });
  }

  get openCount(): number {
    return this.connector.openCount;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.agent.destroy(), this.tunnel?.close()]);
  }
}

/** The guarded connections, without the client. */
@Module({
  providers: [AddressGuard, GuardedConnector, LocalNames, NameService, OutboundConnections, OwnAddress],
  exports: [OutboundConnections, AddressGuard, GuardedConnector, OwnAddress],
})
@Declares({ settings: OutboundSettings })
export class OutboundConnectionsModule {}

/** The guarded HTTP client for all calls to other servers. */
@Module({
  imports: [
    OutboundConnectionsModule,
    HttpModule.registerAsync({
      imports: [OutboundConnectionsModule],
      inject: [OutboundConnections],
      useFactory: (connections: OutboundConnections) => ({
        adapter: undiciAdapter(connections.agent, () => connections.openCount),
        proxy: false as const, // a proxy from the environment would bypass the guard
        maxRedirects: 0,
        transformRequest: [],
        transformResponse: [],
        validateStatus: null,
      }),
    }),
  ],
  providers: [OutboundClient],
  exports: [OutboundClient],
})
export class OutboundModule {}
