/** The callers of generated requests, and their credentials. */
import { strangeCredentials } from './oddities.mjs';

/** `local` calls come over the Unix socket without credentials. */
const roles = ['admin', 'admin', 'admin', 'admin', 'admin', 'member', 'member', 'anonymous', 'local'];

export function pickRole({ isEnding, peerCall }, random) {
  if (isEnding && random.chance(0.97)) return random.pick(['victim', 'anonymous']);
  return peerCall && random.chance(0.9) ? 'peer' : random.pick(roles);
}

/** Adds the credentials of the caller, or sometimes wrong ones. */
export function addCredentials(request, { random, world }) {
  if (request.role === 'local') return;
  const isOff = random.chance(0.05);
  if (request.role === 'peer') return addPeer(request, world.connection, isOff, random);
  const token = world.tokenOf(request.role);
  if (!token || isOff) {
    if (isOff) request.headers.push(random.pick(strangeCredentials));
    request.role = 'anonymous';
    return;
  }
  request.hasCredentials = true;
  if (random.chance(0.1)) request.headers.push(...cookie(token));
  else request.headers.push(bearer(token, random.pick(['Bearer', 'BEARER', 'bearer', 'Token'])));
}

export const bearer = (token, scheme = 'Bearer') => ['Authorization', `${scheme} ${token}`];

const cookie = (token) => [
  ['Cookie', `a=b; MMAUTHTOKEN=${token}; MMCSRF=x`],
  ['X-Requested-With', 'XMLHttpRequest'],
];

/** The headers of a peer. */
export const peerHeaders = ({ remoteId, token }) => [
  ['X-RemoteCluster-Id', remoteId],
  ['X-RemoteCluster-Token', token],
];

function addPeer(request, connection, isOff, random) {
  const headers = peerHeaders(connection);
  if (isOff) headers[random.below(2)][1] = random.pick(['', 'x', random.letters(26), 'x'.repeat(300)]);
  request.headers.push(...headers);
}
