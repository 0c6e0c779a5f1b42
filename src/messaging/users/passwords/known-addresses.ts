const MAX_USERS = 20_000;
const MAX_PER_USER = 20;

/** The addresses from which users have signed in, the latest of the latest users. */
export class KnownAddresses {
  private readonly byUser = new Map<string, Set<string>>();

  has(userId: string, address: string): boolean {
    return this.byUser.get(userId)?.has(address) ?? false;
  }

  note(userId: string, address: string): void {
    const addresses = this.byUser.get(userId) ?? new Set();
    addresses.delete(address);
    addresses.add(address);
    dropOldest(addresses, MAX_PER_USER);
    this.byUser.delete(userId);
    this.byUser.set(userId, addresses);
    dropOldest(this.byUser, MAX_USERS);
  }
}

/** Maps and sets keep the order in which their keys were added. */
function dropOldest(
  entries: { readonly size: number; keys(): Iterator<string>; delete(key: string): boolean },
  max: number,
): void {
  const oldest = entries.keys().next();
  if (entries.size > max && oldest.done !== true) entries.delete(oldest.value);
}
