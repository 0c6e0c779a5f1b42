import { HttpModule } from '@nestjs/axios';
import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import { OutboundSettings } from './outbound.settings.js';
import { Declares } from '../../platform/modules/declares.js';
import { AddressGuard } from './address-guard.js';
import { GuardedConnector } from './guarded-connector.js';
import { NameService } from './name-service.js';
import { OutboundClient } from './outbound-client.js';
import { undiciAdapter } from './undici-adapter.js';

const CONNECTIONS_PER_ORIGIN = 64;
const MAX_IDLE_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;
const CONNECT_TIMEOUT_MS = 10_000;

/** The connections of the outbound client: kept alive for a few seconds, closed with the application. */
@Injectable()
export class OutboundConnections implements OnApplicationShutdown {
  readonly agent: Agent;

  constructor(
    private readonly connector: GuardedConnector,
    settings: OutboundSettings,
  ) {
    this.agent = new Agent({
      connect: connector.build(Math.min(CONNECT_TIMEOUT_MS, settings.outgoingTimeoutMs)),
      connections: CONNECTIONS_PER_ORIGIN,
      pipelining: 1,
      keepAliveTimeout: MAX_IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: 0, // the client has one deadline over everything
      bodyTimeout: 0,
    });
  }

  get openCount(): number {
    return this.connector.openCount;
  }

  onApplicationShutdown(): Promise<void> {
    return this.agent.destroy();
  }
}

@Module({
  providers: [AddressGuard, GuardedConnector, NameService, OutboundConnections],
  exports: [OutboundConnections, AddressGuard],
})
@Declares({ settings: OutboundSettings })
export class OutboundConnectionsModule {}

/** The one guarded client for every call that leaves the server. */
@Module({
  imports: [
    HttpModule.registerAsync({
      imports: [OutboundConnectionsModule],
      inject: [OutboundConnections],
      useFactory: (connections: OutboundConnections) => ({
        adapter: undiciAdapter(connections.agent, () => connections.openCount),
        headers: { Accept: false }, // callers say what they send
        proxy: false as const, // a proxy named in the environment would go round the guard
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
