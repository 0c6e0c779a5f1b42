import { Module } from '@nestjs/common';
import { OutgoingHooksModule } from '../outgoing-hooks/outgoing-hooks.module.js';
import { RemoteClusterModule } from '../remote-cluster/remote-cluster.module.js';
import { ConnectionEventsListener } from './connection-events.listener.js';

/** Makes changes of secure connections events of outgoing webhooks. */
@Module({
  imports: [OutgoingHooksModule, RemoteClusterModule],
  providers: [ConnectionEventsListener],
})
export class ConnectionEventsModule {}
