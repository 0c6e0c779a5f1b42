import { type Answer, ApiClient } from './api-client.mjs';
import { findFreePort, ServerProcess } from './server-process.mjs';
import { makeMigratedTables } from './migrated-tables.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { ADMIN_PASSWORD, eventually } from './test-server.js';

/** A server process that keeps its port across restarts, so that other sites can reach it. */
export class Site {
  admin: ApiClient;
  team: any;
  /** The output of all its processes. */
  output = '';
  private process: ServerProcess | undefined;

  private constructor(
    readonly name: string,
    readonly port: number,
    readonly database: TestDatabase,
    readonly env: Record<string, string>,
  ) {
    this.admin = new ApiClient(this.url);
  }

  static async open(name: string, env: Record<string, string> = {}): Promise<Site> {
    const site = new Site(name, await findFreePort(), await createTestDatabase(), env);
    await makeMigratedTables(site.database);
    await site.start();
    const admin = await site.admin.login('admin', ADMIN_PASSWORD);
    if (!admin) throw new Error('The login of admin is refused.');
    site.admin = admin;
    site.team = await admin.call('GET', '/teams/name/main');
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const settings = {
      PORT: String(this.port),
      SITE_URL: this.url,
      ADMIN_PASSWORD,
      LOG_LEVEL: 'debug',
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      PEER_PING_INTERVAL: '200ms',
      PEER_OFFLINE_AFTER: '1500ms',
      OUTGOING_SCHEDULE: '0s,100ms,300ms,1s',
      ...this.database.env,
      ...this.env,
    };
    this.process = new ServerProcess(settings);
    await this.process.ready();
  }

  /** Kills the process, as a power failure would. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  /** Stops the process like a supervisor. It must exit by itself and within its own time limit. */
  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  async close(): Promise<void> {
    await this.stop().finally(() => this.database.drop());
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { process } = this;
    if (!process) return;
    this.process = undefined;
    if (signal === 'SIGTERM') await process.handInMetrics();
    process.signal(signal);
    const code = await process.exit();
    this.output += process.stdout + process.stderr;
    if (signal === 'SIGTERM' && code !== 0)
      throw new Error(`The stopped site ${this.name} ended with ${code}:\n${process.errors.join('\n')}`);
  }

  cluster(remoteId: string): Promise<any> {
    return this.admin.call('GET', `/remotecluster/${remoteId}`);
  }

  /** The messages of users in a channel, oldest first. */
  async messages(channelId: string): Promise<string[]> {
    return (await this.posts(channelId)).map((post) => post.message);
  }

  async posts(channelId: string): Promise<any[]> {
    const { order, posts } = await this.admin.call('GET', `/channels/${channelId}/posts?per_page=200`);
    return (order as string[])
      .map((id) => posts[id])
      .filter((post) => !String(post.type).startsWith('system_'))
      .reverse();
  }

  say(channelId: string, message: string, more: object = {}): Promise<any> {
    return this.admin.call('POST', '/posts', { channel_id: channelId, message, ...more });
  }
}

/** Invites the server of another site, as its administrator would. */
export function inviteTo(from: Site, name: string): Promise<any> {
  return from.admin.call('POST', '/remotecluster', { name, default_team_id: from.team.id });
}

/** Accepts the invite, as the administrator of the other site would. */
export function acceptAt(to: Site, name: string, { invite, password }: any): Promise<Answer> {
  const body = { name, default_team_id: to.team.id, invite, password };
  return to.admin.post('/remotecluster/accept_invite', body);
}

/** Connects two sites; `from` is the inviter. Returns the id of the connection and its secrets. */
export async function connect(from: Site, to: Site): Promise<{ remoteId: string; secrets: string[] }> {
  const created = await inviteTo(from, to.name);
  const { invite, password, remote_cluster: cluster } = created;
  const accepted = await acceptAt(to, from.name, created);
  if (accepted.status !== 201) throw new Error(accepted.text);
  await eventually(async () => (await from.cluster(cluster.remote_id)).last_ping_at > 0);
  await eventually(async () => (await to.cluster(cluster.remote_id)).last_ping_at > 0);
  return { remoteId: cluster.remote_id, secrets: [invite, password] };
}
