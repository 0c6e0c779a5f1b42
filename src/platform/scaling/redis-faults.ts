const OLDEST_VERSION = [6, 2] as const;

/** What is wrong with a Redis server, by its answer to INFO: sentences that say what to do. */
export function redisFaults(info: string): string[] {
  const values = new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const end = line.indexOf(':');
      return end > 0 ? [[line.slice(0, end), line.slice(end + 1).trim()] as const] : [];
    }),
  );
  const faults: string[] = [];
  const version = values.get('redis_version') ?? '';
  if (isTooOld(version))
    faults.push(
      `Redis ${version} at REDIS_URL is too old: version ${OLDEST_VERSION.join('.')} or later is needed.`,
    );
  const policy = values.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction')
    faults.push(
      `Redis at REDIS_URL evicts keys (maxmemory-policy ${policy}), so work may be forgotten until a sweep finds it. Set maxmemory-policy noeviction.`,
    );
  const role = values.get('role') ?? 'master';
  if (role !== 'master')
    faults.push('Redis at REDIS_URL is a replica, which takes no writes. Let REDIS_URL name the primary.');
  const limit = Number(values.get('maxmemory') ?? 0);
  if (limit > 0 && Number(values.get('used_memory') ?? 0) >= limit)
    faults.push('Redis at REDIS_URL is full, so it takes no writes. Raise its maxmemory.');
  return faults;
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (!Number.isFinite(major) || version === '') return false;
  return major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1]);
}
