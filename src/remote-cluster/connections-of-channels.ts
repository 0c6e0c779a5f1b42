import { Injectable } from '@nestjs/common';

/** Returns the `remoteId` of every connection over which a channel is shared. */
type Lookup = (channelId: string) => Promise<readonly string[]>;

/**
 * Finds the connections over which a channel is shared. The module that shares channels registers the lookup; until then
 * no channel is shared.
 */
@Injectable()
export class ConnectionsOfChannels {
  private lookup: Lookup = () => Promise.resolve([]);

  register(lookup: Lookup): void {
    this.lookup = lookup;
  }

  list(channelId: string): Promise<readonly string[]> {
    return this.lookup(channelId);
  }
}
