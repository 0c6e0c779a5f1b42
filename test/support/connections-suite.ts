import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource, type Repository } from 'typeorm';
import { RemoteCluster } from '../../src/remote-cluster/remote-cluster.entity.js';
import { buildTeam, type BuiltTeam } from '../factories/incoming-hooks.js';
import {
  buildAdministrator,
  buildConnection,
  type BuiltConnection,
  invitation,
  INVITE_PASSWORD as PASSWORD,
} from '../factories/remote-clusters.js';
import { type BuiltUser, buildUser } from '../factories/users.js';
import { type DnsServer, startDnsServer } from '../fakes/dns-server.js';
import { json, type ReceivedCall, Receiver } from '../fakes/receiver.js';
import { type Answer, ApiClient } from './api-client.mjs';
import { expectError } from './expect-error.js';
import { openInvite, sealInvite } from './invites.js';
import { useQuickKeys } from './invite-keys.js';
import { learnSecret } from './secrets.mjs';
import { startTestServer, type TestServer } from './test-server.js';

export const PATH = '/api/v4/remotecluster';
export const CONFIRM = '/api/v4/remotecluster/confirm_invite';
export const OUR_SITE = 'https://hookline.example.com/chat';
export const DENIED = 'api.context.permissions.app_error';
export const BODY = 'api.context.invalid_body_param.app_error';
export const OFF = { enableRemoteClusters: false };
export const NO_SITE = { siteUrl: undefined };
export const NO_SITE_ID = 'api.get_site_url_error';
export const DISABLED = 'api.remote_cluster.service_not_enabled.app_error';
export const NOT_FOUND = 'api.remote_cluster.get.not_found';
export const ROW_ID = 'model.cluster.is_valid.id.app_error';
export const ROW_NAME = 'model.cluster.is_valid.name.app_error';
export const NOT_BASE64 = 'api.remote_cluster.base64_decode_error';
export const NOT_OPENED = 'api.remote_cluster.invite_decrypt_error';
export const BAD_INVITE =
  /^(api\.remote_cluster\.invite_decrypt_error|model\.remote_cluster_invite\.is_valid\..*\.app_error)$/;
export const NOT_ACCEPTED = 'api.remote_cluster.accept_invitation_error';
export const ID = /^[a-z0-9]{26}$/;
export const KEYS = [
  'remote_id',
  'remote_team_id',
  'name',
  'display_name',
  'site_url',
  'default_team_id',
  'create_at',
  'delete_at',
  'last_ping_at',
  'last_global_user_sync_at',
  'token',
  'remote_token',
  'topics',
  'creator_id',
  'plugin_id',
  'options',
  ...['standing', 'standing_since', 'invite_expires_at', 'last_heard_at'],
];

/** Secrets that are looked for at the end of the file as well. */
class LearnedSecrets extends Set<string> {
  constructor(private readonly kind: string) {
    super();
  }

  override add(secret: string): this {
    learnSecret(this.kind, secret);
    return super.add(secret);
  }
}

/** Answers a call to the inviter. */
export type Reply = Receiver['answer'];

/**
 * A server that may call loopback, an inviter on loopback that answers its confirmations, and the calls of an
 * administrator. Records all answers of the server and all secrets, so that a test can search one for the other.
 */
export function connectionsSuite() {
  let server: TestServer;
  let admin: ApiClient;
  let local: ApiClient;
  let folder: string;
  let dns: DnsServer;
  let inviter: Receiver;
  let team: BuiltTeam;
  let member: BuiltUser;
  let listAtStart: Answer;
  let acceptor: BuiltUser;
  let accepts = 0;
  let reply: Reply;
  const answers: { readonly call: string; readonly text: string }[] = [];
  const secrets = {
    tokens: new LearnedSecrets('token of a peer'),
    passwords: new LearnedSecrets('password of an invite'),
    invites: new LearnedSecrets('invite'),
  };

  const start = async (): Promise<void> => {
    recordAnswers();
    folder = mkdtempSync(join(tmpdir(), 'hookline-local-'));
    const socket = join(folder, 'local.sock');
    dns = await startDnsServer({});
    inviter = await Receiver.start((call, response) =>
      call.path.endsWith('/confirm_invite') ? reply(call, response) : json({}, 500)(call, response),
    );
    server = await startTestServer({
      LOCAL_MODE_SOCKET: socket,
      SITE_URL: `${OUR_SITE}/`,
      ALLOWED_INTERNAL_HOSTS: '127.0.0.1',
      DNS_SERVERS: dns.address,
    });
    useQuickKeys(server);
    local = new ApiClient('http://localhost', '', socket);
    ({ admin } = server);
    listAtStart = await list();
    team = await buildTeam(admin);
    member = await buildUser(server);
  };
  const close = async (): Promise<void> => {
    jest.restoreAllMocks();
    await server?.close();
    await inviter?.close();
    dns?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  /** Sets the inviter's answer to a confirmation; OK by default. */
  const onConfirm = (answer: Reply = json({ status: 'OK' })): void => void (reply = answer);
  const acceptorId = (): string => acceptor.id;
  const state = () => ({ server, admin, local, inviter, team, member, listAtStart });

  /** Records all answers of the server for the search for secrets. */
  function recordAnswers(): void {
    const send = ApiClient.prototype.send;
    jest.spyOn(ApiClient.prototype, 'send').mockImplementation(async function (
      this: ApiClient,
      ...call: Parameters<ApiClient['send']>
    ) {
      const answer = await send.apply(this, call);
      answers.push({ call: `${call[0]} ${call[1]}`, text: answer.text });
      return answer;
    });
  }

  const rows = (): Repository<RemoteCluster> => server.app.get(DataSource).getRepository(RemoteCluster);
  const change = (connection: BuiltConnection, fields: Partial<RemoteCluster>): Promise<unknown> =>
    rows().update({ remoteId: connection.record.remote_id as string }, fields);
  const remember = (connection: BuiltConnection): BuiltConnection => {
    secrets.invites.add(connection.invite);
    secrets.passwords.add(connection.password);
    return connection;
  };
  /** Opens an invite as a peer does. */
  const opened = (invite: string, password = PASSWORD): Record<string, any> => {
    const { plaintext } = openInvite(invite, password);
    secrets.tokens.add(plaintext['token'] as string);
    return plaintext;
  };
  const build = async (fields: Record<string, unknown> = {}, client = admin): Promise<BuiltConnection> =>
    remember(await buildConnection(client, team.id, fields));
  const create = (fields: Record<string, unknown> = {}, client = admin): Promise<Answer> =>
    client.post(PATH, { name: 'lisbon', default_team_id: team.id, password: PASSWORD, ...fields });
  const get = (id: string, client = admin): Promise<Answer> => client.get(`${PATH}/${id}`);
  const list = (query = '', client = admin): Promise<Answer> => client.get(`${PATH}?${query}`);
  const patch = (id: string, fields: unknown, client = admin): Promise<Answer> =>
    client.patch(`${PATH}/${id}`, fields);
  const remove = (id: string, client = admin): Promise<Answer> => client.delete(`${PATH}/${id}`);
  const generate = (id: string, body: unknown = { password: PASSWORD }, client = admin): Promise<Answer> =>
    client.post(`${PATH}/${id}/generate_invite`, body);
  /** Accepts an invite, as another administrator after every nine calls because of the limit of ten a minute. */
  const accept = async (invite: unknown, fields: Record<string, unknown> = {}): Promise<Answer> => {
    if (accepts++ % 9 === 0) acceptor = await buildAdministrator(server);
    return acceptAs(acceptor.client, invite, fields);
  };
  const acceptAs = (client: ApiClient, invite: unknown, fields: Record<string, unknown>): Promise<Answer> =>
    client.post(`${PATH}/accept_invite`, {
      name: 'berlin',
      default_team_id: team.id,
      invite,
      password: PASSWORD,
      ...fields,
    });
  /** An invite of the inviter. */
  const seal = (plaintext: Record<string, any>, version: 2 | 3 = 3): string => {
    const invite = sealInvite(plaintext, PASSWORD, version);
    secrets.invites.add(invite);
    if (ID.test(String(plaintext['token']))) secrets.tokens.add(String(plaintext['token']));
    return invite;
  };
  const confirmsOf = (remoteId: string): ReceivedCall[] =>
    inviter.calls.filter(
      (call) => call.path.endsWith('/confirm_invite') && call.headers['x-remotecluster-id'] === remoteId,
    );
  const confirmBody = (call: ReceivedCall | undefined): any => {
    const body = JSON.parse(call?.body ?? '{}');
    for (const key of ['token', 'refreshed_token'])
      if (body.msg?.payload?.[key]) secrets.tokens.add(body.msg.payload[key]);
    return body;
  };
  /** An accepted connection and its invite. */
  const buildAccepted = async (
    fields: Record<string, unknown> = {},
  ): Promise<{ record: any; invite: string; plaintext: Record<string, any> }> => {
    const plaintext = invitation(inviter.origin);
    const invite = seal(plaintext);
    const answer = await accept(invite, fields);
    if (answer.status !== 201) throw new Error(`Not accepted: ${answer.text}`);
    confirmsOf(plaintext['remote_id'] as string).forEach(confirmBody);
    return { record: answer.body, invite, plaintext };
  };
  const expectNothingOf = async (remoteId: string): Promise<void> => {
    expectError(await get(remoteId), 404, NOT_FOUND);
    expect(await rows().countBy({ remoteId })).toBe(0);
  };
  /** The secrets found in answers. Answers with an invite may contain that invite. */
  const answeredSecrets = (): unknown[] =>
    answers
      .map(({ call, text }) => {
        const given = call === `POST ${PATH}` || call.endsWith('/generate_invite');
        return { call, leaks: leaks(text, given ? [...secrets.tokens, PASSWORD] : everySecret()) };
      })
      .filter((each) => each.leaks.length > 0);
  const storedSecrets = async (): Promise<unknown[]> => {
    const data = server.app.get(DataSource);
    const found = [];
    for (const { tableName } of data.entityMetadatas) {
      const stored = JSON.stringify(await data.query(`SELECT * FROM ${tableName}`));
      found.push({ tableName, leaks: leaks(stored, everySecret()) });
    }
    return found.filter((each) => each.leaks.length > 0);
  };
  const everySecret = (): string[] => [...secrets.tokens, ...secrets.passwords, ...secrets.invites];
  const leaks = (text: string, among: readonly string[]): string[] =>
    among.filter((secret) => text.includes(secret));

  return {
    start,
    close,
    state,
    onConfirm,
    acceptorId,
    secrets,
    rows,
    change,
    opened,
    build,
    create,
    get,
    list,
    patch,
    remove,
    generate,
    accept,
    acceptAs,
    seal,
    confirmsOf,
    confirmBody,
    buildAccepted,
    expectNothingOf,
    answeredSecrets,
    storedSecrets,
  };
}
