import { idOf } from '../../platform/common/ids.js';

/** A substitute for an id of another server that is taken here. Equal for all connections to that server. */
export function aliasOf({ siteUrl }: { readonly siteUrl: string }, id: string): string {
  return idOf(`${siteUrl} ${id}`);
}
