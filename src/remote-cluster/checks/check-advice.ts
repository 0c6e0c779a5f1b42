import type { PingOutcome } from '../pings/pings.service.js';

/** What is known of the way back: from the peer to this server. */
export interface WayBack {
  /** The peer has not called for longer than between its pings. */
  readonly isSilent: boolean;
  /** The address of this server that the peer was given; empty if that was not kept. */
  readonly givenUrl: string;
  readonly ownUrl: string;
}

/** A clock that is further off than this confuses the order of messages. */
const MAX_SKEW_MS = 10_000;
const OF_STATUS: Readonly<Record<number, string>> = {
  401: 'The other server does not know this connection: it was deleted there, or a proxy takes its headers away. If it was deleted, delete it here and connect anew.',
  404: 'At this address there is no server with secure connections. Look at the address of the other server and at the proxy in front of it.',
  501: 'Secure connections are switched off on the other server: its administrator can switch them on.',
};

/** One or two sentences on what to do; empty when all is well. */
export function adviceOn(outcome: PingOutcome, { isSilent, givenUrl, ownUrl }: WayBack): string {
  if (!outcome.isAnswered)
    return (
      OF_STATUS[outcome.status] ??
      'This server cannot reach the other one. Ask its administrator whether it runs, and whether a firewall or proxy stands between.'
    );
  const hasMoved = givenUrl !== '' && givenUrl !== ownUrl;
  if (isSilent)
    return hasMoved
      ? `The other server answers, but has not called. It was given the address ${givenUrl}, and SITE_URL is ${ownUrl || 'not set'} now: connect anew, or serve the former address as well.`
      : `The other server answers, but has not called for longer than between its pings. It probably cannot reach ${ownUrl || 'this server, whose SITE_URL is not set'}: look at SITE_URL, and at firewalls on the way from there.`;
  if (Math.abs(outcome.skewMs ?? 0) > MAX_SKEW_MS)
    return 'The clocks of the two servers differ: set both by NTP.';
  return '';
}
