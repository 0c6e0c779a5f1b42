import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';

/** An address in the form used by `net`: the family is 4 or 6. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const RESOLVER_FILE = '/etc/resolv.conf';
const REREAD_AFTER_MS = 1_000;
/** Same as glibc's resolver. */
const MAX_SEARCHED = 6;
const MAX_NAME_LENGTH = 253;

interface Files {
  readonly hosts: ReadonlyMap<string, readonly Address[]>;
  /** Domains appended to names. */
  readonly search: readonly string[];
  /** Names with fewer dots are tried with the search domains first. */
  readonly minDots: number;
}

/** Resolves host names from the files of this machine. Changes take effect after a second. */
@Injectable()
export class LocalNames {
  private files: Promise<Files> | undefined;
  private readAt = -Infinity;

  /** Returns the addresses of a name (lower case) that needs no name server; undefined for other names. */
  async find(name: string): Promise<readonly Address[] | undefined> {
    const plain = name.replace(/\.$/, '');
    const { hosts } = await this.current();
    return hosts.get(plain) ?? (/(?:^|\.)localhost$/.test(plain) ? loopback() : undefined);
  }

  /** The names to query, in order: the name itself and the name with each search domain. */
  async candidates(name: string): Promise<readonly string[]> {
    if (name.endsWith('.')) return [name];
    const { search, minDots } = await this.current();
    const longer = search
      .map((domain) => `${name}.${domain}`)
      .filter((each) => each.length <= MAX_NAME_LENGTH);
    // A name with a dot is nearly always complete, no matter what the configuration tries first.
    return name.includes('.') || minDots === 0 ? [name, ...longer] : [...longer, name];
  }

  private current(): Promise<Files> {
    const now = performance.now();
    if (!this.files || now - this.readAt > REREAD_AFTER_MS) {
      this.readAt = now;
      this.files = readFiles();
    }
    return this.files;
  }
}

async function readFiles(): Promise<Files> {
  const [hosts, resolver] = await Promise.all([linesOf(HOSTS_FILE), linesOf(RESOLVER_FILE)]);
  return { hosts: parseHosts(hosts), ...parseSearch(resolver) };
}

/** The words of each line, in lower case and without comments. Empty if the file cannot be read. */
async function linesOf(path: string): Promise<string[][]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .toLowerCase()
      .split(/\s+/),
  );
}

function parseHosts(lines: readonly string[][]): Map<string, Address[]> {
  const hosts = new Map<string, Address[]>();
  for (const [address = '', ...names] of lines) {
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const known = hosts.get(name);
      if (known) known.push({ address, family });
      else hosts.set(name, [{ address, family }]);
    }
  }
  return hosts;
}

function parseSearch(lines: readonly string[][]): Pick<Files, 'search' | 'minDots'> {
  let search: string[] = [];
  let minDots = 1;
  for (const [keyword, ...words] of lines) {
    if (keyword === 'search' || keyword === 'domain')
      search = words.map((word) => word.replace(/\.$/, '')).filter((domain) => domain !== '');
    if (keyword === 'options')
      for (const word of words) minDots = Number(/^ndots:(\d+)$/.exec(word)?.[1] ?? minDots);
  }
  return { search: search.slice(0, MAX_SEARCHED), minDots };
}

function loopback(): Address[] {
  const hasV6 = Object.values(networkInterfaces()).some((infos) =>
    infos?.some(({ address }) => address === '::1'),
  );
  return [{ address: '127.0.0.1', family: 4 }, ...(hasV6 ? [{ address: '::1', family: 6 }] : [])];
}
