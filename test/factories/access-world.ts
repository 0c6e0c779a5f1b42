import { newId } from '../../src/platform/common/ids.js';
import type { ApiClient } from '../support/api-client.mjs';
import { useQuickKeys } from '../support/invite-keys.js';
import { RECORDS } from '../support/module-access.js';
import type { TestServer } from '../support/test-server.js';
import { buildChannel, joinChannel } from './channels.js';
import { insertDeliveries, insertRecovery } from './deliveries.js';
import { buildIncomingHook } from './incoming-hooks.js';
import { buildOutgoingHook } from './outgoing-hooks.js';
import { buildPost } from './posts.js';
import { buildConnection } from './remote-clusters.js';
import { buildOpenTeam, buildTeam, joinTeam } from './teams.js';
import { type BuiltUser, buildUser, USER_PASSWORD } from './users.js';

/** The kinds of callers, from the least powerful to the most. */
export const CALLERS = ['stranger', 'member', 'team admin', 'administrator'] as const;
export type CallerKind = (typeof CALLERS)[number];

/** The owner of the target of a request, as explained in docs/access.md. */
export const SCOPES = ['own', "others'", 'private', 'other team', "administrator's"] as const;
export type Scope = (typeof SCOPES)[number];

/** The part of a world that requests use, with the names of `test/support/refusals.ts`. */
export type Target = Readonly<Record<string, any>>;

/** What can change without changing users, teams and channels. */
const THINGS = /^(post|incoming|outgoing|delivery|recovery|token|preference|remote|bot)\b/;
const SYSTEM_ADMIN = 'system_admin system_user';

/** Creates what requests need on demand, and again after a request that has changed something. */
export class AccessWorld {
  private readonly made = new Map<string, Promise<any>>();
  private admin: ApiClient;

  constructor(
    private readonly server: TestServer,
    private readonly roles: readonly any[],
  ) {
    this.admin = server.admin;
    useQuickKeys(server);
  }

  /** A signed-in caller; for a stranger a client without credentials. */
  async client(kind: CallerKind): Promise<ApiClient> {
    return kind === 'stranger' ? this.server.anonymous : (await this.caller(kind)).client;
  }

  /** The parts of a target with these names. */
  async target(kind: CallerKind, scope: Scope, names: Iterable<string>): Promise<Target> {
    const target: Record<string, any> = {};
    for (const name of names) target[name] = await this.part(name, kind, scope);
    return target;
  }

  /** Forgets what a successful request to this path has changed. */
  async reset(route: string): Promise<void> {
    const isOfThings = /^\/(posts|hooks|remotecluster|bots)\b|tokens/.test(route);
    for (const name of this.made.keys()) if (!isOfThings || THINGS.test(name)) this.made.delete(name);
    if (route === '/users/sessions/revoke/all') this.admin = await this.server.login('admin');
    if (!route.startsWith('/roles')) return;
    for (const { id, permissions } of this.roles)
      await this.admin.call('PUT', `/roles/${id}/patch`, { permissions });
  }

  private once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = (this.made.get(name) as Promise<T> | undefined) ?? make();
    this.made.set(name, known);
    return known;
  }

  private part(name: string, kind: CallerKind, scope: Scope): Promise<any> {
    const { admin } = this;
    const owned = (make: () => Promise<any>): Promise<any> => this.once(`${name} ${kind} ${scope}`, make);
    const role = (title: string): any => this.roles.find((known) => known.name === title);
    const makers: Record<string, () => Promise<any>> = {
      team: () => this.team(scope),
      archivedTeam: () => owned(() => this.archive('teams', buildTeam(admin))),
      openTeam: () => owned(() => buildOpenTeam(admin)),
      archived: () =>
        owned(async () => {
          const type = scope === 'private' ? 'P' : 'O';
          return this.archive('channels', buildChannel(admin, (await this.team(scope)).id, { type }));
        }),
      open: () => this.channel(scope),
      victim: async () => admin.call('GET', `/users/${(await this.owner(kind, scope)).id}`),
      other: () => this.person('other', () => this.inChannel(this.user(), 'private')),
      post: () => owned(() => this.post(kind, scope)),
      incoming: () => owned(() => this.incoming(kind, scope)),
      outgoing: () => owned(() => this.outgoing(kind, scope)),
      delivery: () => owned(() => this.delivery(kind, scope)),
      recovery: () =>
        owned(async () => insertRecovery(this.server, await this.part('outgoing', kind, scope))),
      token: () => owned(async () => this.token((await this.owner(kind, scope)).id)),
      bot: () => owned(async () => this.bot((await this.owner(kind, scope)).id)),
      preference: () => owned(async () => this.preference((await this.owner(kind, scope)).id)),
      session: async () =>
        (await admin.call('GET', `/users/${(await this.owner(kind, scope)).id}/sessions`))[0],
      remote: () => this.once(name, () => this.remote()),
      ids: async () => {
        const { id } = await this.caller(kind);
        return { outsider: id, powerless: id };
      },
      newId: () => Promise.resolve(newId),
      password: () => Promise.resolve(USER_PASSWORD),
      roleId: () => Promise.resolve((title: string) => role(title).id),
      customRoleId: () => Promise.resolve(role('team_user').id),
      permissionsOf: () => Promise.resolve((title: string) => role(title).permissions),
    };
    const same: Record<string, string> = {
      ...{ closed: 'open', elsewhere: 'open', administrator: 'victim', openPost: 'post' },
      ...{ closedIncoming: 'incoming', movedIncoming: 'incoming', wideOutgoing: 'outgoing' },
      adminToken: 'token',
    };
    const record = RECORDS[name];
    if (record) return owned(async () => record(admin, (await this.team(scope)).id));
    const make = makers[same[name] ?? name];
    if (!make) throw new Error(`Nobody makes the ${name} of a target.`);
    return make();
  }

  private team(scope: Scope): Promise<any> {
    const name = scope === 'other team' ? 'other team' : 'team';
    return this.once(name, () => buildTeam(this.admin));
  }

  private channel(scope: Scope): Promise<any> {
    const name = scope === 'private' || scope === 'other team' ? scope : 'shared';
    const type = scope === 'private' ? 'P' : 'O';
    return this.once(`channel ${name}`, async () =>
      buildChannel(this.admin, (await this.team(scope)).id, { type }),
    );
  }

  private caller(kind: CallerKind): Promise<BuiltUser> {
    if (kind === 'stranger') return this.owner('member', "others'");
    return this.person(kind, async () => {
      if (kind === 'administrator') return this.user(SYSTEM_ADMIN);
      return this.inChannel(this.user(), 'own', kind === 'team admin');
    });
  }

  private owner(kind: CallerKind, scope: Scope): Promise<BuiltUser> {
    if (scope === 'own') return this.caller(kind);
    return this.person(scope, () =>
      scope === "administrator's" ? this.user(SYSTEM_ADMIN) : this.inChannel(this.user(), scope),
    );
  }

  private person(name: string, make: () => Promise<BuiltUser>): Promise<BuiltUser> {
    return this.once(`person ${name}`, make);
  }

  private user(roles?: string): Promise<BuiltUser> {
    return buildUser(this.current, roles === undefined ? {} : { roles });
  }

  /** In the team and channel of that scope. */
  private async inChannel(made: Promise<BuiltUser>, scope: Scope, asAdmin = false): Promise<BuiltUser> {
    const user = await made;
    await joinTeam(this.current, (await this.team(scope)).id, user.id, asAdmin);
    await joinChannel(this.admin, (await this.channel(scope)).id, user.id);
    return user;
  }

  private async archive(kind: 'teams' | 'channels', made: Promise<any>): Promise<any> {
    const record = await made;
    await this.admin.call('DELETE', `/${kind}/${record.id}`);
    return record;
  }

  private async post(kind: CallerKind, scope: Scope): Promise<any> {
    const { client } = await this.owner(kind, scope);
    const post = await buildPost(client, (await this.channel(scope)).id);
    await this.admin.call('PUT', `/posts/${post.id}/patch`, { message: 'Edited once.' });
    return post;
  }

  private async incoming(kind: CallerKind, scope: Scope): Promise<any> {
    const { id } = await this.owner(kind, scope);
    return buildIncomingHook(this.admin, (await this.channel(scope)).id, { user_id: id });
  }

  /**
   * A webhook in a private channel is created in a public one and moved, as users do. Its creator must be in the
   * team, so system administrators, who are in none, get a webhook of another user.
   */
  private async outgoing(kind: CallerKind, scope: Scope): Promise<any> {
    const { admin } = this;
    const isOutside = scope === "administrator's" || (scope === 'own' && kind === 'administrator');
    const { id: creatorId } = await this.owner(kind, isOutside ? "others'" : scope);
    const fields = { trigger_words: [newId()], creator_id: creatorId };
    const { id: teamId } = await this.team(scope);
    const channel = await this.channel(scope);
    const place = channel.type === 'O' ? channel : await buildChannel(admin, teamId);
    const hook = await buildOutgoingHook(admin, teamId, { channel_id: place.id, ...fields });
    if (place === channel) return hook;
    return admin.call('PATCH', `/hooks/outgoing/${hook.id}`, { channel_id: channel.id });
  }

  private async delivery(kind: CallerKind, scope: Scope): Promise<any> {
    const hook = await this.part('outgoing', kind, scope);
    return (await insertDeliveries(this.server, hook, 1, { status: 'failed' }))[0];
  }

  private token(userId: string): Promise<any> {
    return this.admin.call('POST', `/users/${userId}/tokens`, { description: 'of a table' });
  }

  private async bot(ownerId: string): Promise<any> {
    const { user_id: id } = await this.admin.call('POST', '/bots', { username: newId() });
    return this.admin.call('POST', `/bots/${id}/assign/${ownerId}`);
  }

  private async preference(userId: string): Promise<any> {
    const preference = { user_id: userId, category: 'songs', name: 'first', value: 'one' };
    await this.admin.call('PUT', `/users/${userId}/preferences`, [preference]);
    return preference;
  }

  private async remote(): Promise<any> {
    return (await buildConnection(this.admin, (await this.team('own')).id, { name: newId() })).record;
  }

  private get current(): TestServer {
    return { ...this.server, admin: this.admin };
  }
}
