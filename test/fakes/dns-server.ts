import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { parseAddress } from '../../src/platform/common/ip-address.js';

/** Addresses (IPv4 as A records, IPv6 as AAAA), a response code, or no answer at all. */
export type DnsAnswer = readonly string[] | 'NXDOMAIN' | 'SERVFAIL' | 'SILENT';

/** The successive answers for each name, one per query for its A record. The last one repeats. */
export type Zone = Readonly<Record<string, readonly DnsAnswer[]>>;

export interface DnsServer {
  /** The address in the format of DNS_SERVERS. */
  readonly address: string;
  /** Number of queries for the A record of a name. */
  asked(name: string): number;
  close(): void;
}

const TYPES = { 1: 4, 28: 6 } as const;
const RESPONSE_CODES: Readonly<Record<string, number>> = { SERVFAIL: 2, NXDOMAIN: 3, undefined: 3 };

/**
 * Starts a DNS server. It answers `alias.<name>` with a CNAME to `<name>` and the addresses of that. `ttl` is for how many
 * seconds its answers may be kept.
 */
export async function startDnsServer(zone: Zone, ttl = 0): Promise<DnsServer> {
  const counts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, type, end } = questionOf(query);
    const target = name.startsWith('alias.') ? name.slice('alias.'.length) : name;
    const asked = counts.get(name) ?? 0;
    if (type === 1) counts.set(name, asked + 1);
    const turns = zone[target] ?? [];
    // A query for AAAA gets the same turn as the query for A before it.
    const turn = type === 1 ? asked : Math.max(0, asked - 1);
    const answer = turns[Math.min(turn, turns.length - 1)];
    if (answer === 'SILENT') return;
    const family = TYPES[type as keyof typeof TYPES];
    const addresses = Array.isArray(answer)
      ? (answer as string[]).filter((a) => isIPv4(a) === (family === 4))
      : [];
    const records = addresses.map((address) =>
      record(encodeName(target), type, ttl, Buffer.from(parseAddress(address).toByteArray())),
    );
    if (target !== name) records.unshift(record(encodeName(name), 5, ttl, encodeName(target)));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (RESPONSE_CODES[String(answer)] ?? 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: (name) => counts.get(name) ?? 0,
    close: () => void socket.close(),
  };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function record(name: Buffer, type: number, ttl: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2); // class IN
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fixed, data]);
}

function encodeName(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
