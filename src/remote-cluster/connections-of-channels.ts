import { Injectable } from '@nestjs/common';

/** The ids of the connections over which a channel is shared. */
type Lookup = (channelId: string) => Promise<readonly string[]>;

/**
 * Which connections share a channel, for the list of connections. The module that shares channels registers the lookup;
 * without one no channel is shared.
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
