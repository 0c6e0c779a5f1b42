import { Injectable } from '@nestjs/common';
import type { Channel } from '../messaging/channels/channel.entity.js';
import { ChannelsService } from '../messaging/channels/channels.service.js';
import type { Actor } from '../messaging/permissions/actor.js';
import { pictureUrl } from '../messaging/posts/content/safe-url.js';
import { PostsSettings } from '../messaging/posts/posts.settings.js';
import { requireLocalUser } from '../messaging/users/users.policy.js';
import { UsersService } from '../messaging/users/users.service.js';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../platform/common/clock.js';
import { definedOnly } from '../platform/common/defined-only.js';
import { InvalidBodyParam } from '../platform/common/errors/common-errors.js';
import { newId } from '../platform/common/ids.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { EventBus } from '../platform/events/event-bus.js';
import type {
  CreateIncomingHookDto,
  PatchIncomingHookDto,
  UpdateIncomingHookDto,
} from './dto/incoming-hook.dto.js';
import { isRocketChatPath, isSlackPath } from './alias-paths.js';
import { PAYLOAD_FORMAT } from './formats/formats.js';
import type { IncomingHook } from './incoming-hook.entity.js';
import {
  IncomingHookLimits,
  requireValidAlias,
  requireValidExpiry,
  requireValidHook,
  requireValidUsername,
  withFreeAlias,
} from './incoming-hook.rules.js';
import { incomingHookIdGiven, teamMismatch } from './incoming-hooks.errors.js';
import { IncomingHookCreated, IncomingHookUpdated } from './incoming-hooks.events.js';
import { IncomingHooksPolicy } from './incoming-hooks.policy.js';
import { IncomingHooksRepository } from './incoming-hooks.repository.js';
import { IncomingHooksService, type ShownHook } from './incoming-hooks.service.js';
import { KeptRequestsRepository } from './kept-requests/kept-requests.repository.js';
import { RequestKeeper } from './kept-requests/request-keeper.js';
import { VerifiersService } from './verification/verifiers.service.js';

type NewHook = Pick<IncomingHook, 'userId' | 'makerId' | 'displayName' | 'description'> &
  Partial<
    Pick<
      IncomingHook,
      | 'username'
      | 'iconUrl'
      | 'channelLocked'
      | 'keepRequests'
      | 'expiresAt'
      | 'rateLimit'
      | 'aliasPath'
      | 'format'
      | 'template'
    >
  > &
  Pick<CreateIncomingHookDto, 'verifier'>;

/** The fields that PUT and PATCH change, as on the wire. */
type HookFields = Omit<UpdateIncomingHookDto, 'id' | 'team_id'> & { readonly user_id: string };

/**
 * Creates and changes incoming webhooks. The contract defines the order of checks (docs/contract/incoming-webhooks.md).
 */
@Injectable()
export class IncomingHookChangesService {
  constructor(
    private readonly hooks: IncomingHooksService,
    private readonly repository: IncomingHooksRepository,
    private readonly policy: IncomingHooksPolicy,
    private readonly channels: ChannelsService,
    private readonly limits: IncomingHookLimits,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly events: EventBus,
    private readonly clock: Clock,
    private readonly postsSettings: PostsSettings,
    private readonly verifiers: VerifiersService,
    private readonly keeper: RequestKeeper,
    private readonly kept: KeptRequestsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async create(actor: Actor, input: CreateIncomingHookDto): Promise<ShownHook> {
    if (actor.kind === 'local' && input.user_id === '') {
      throw new InvalidBodyParam('user_id', 'local mode has no user, so the owner must be given');
    }
    const channel = await this.channels.get(input.channel_id);
    await this.policy.requireCreate(actor, channel);
    const userId = await this.ownerOf(actor, input.user_id, channel);
    const place = { teamId: channel.teamId, channelId: channel.id };
    const channelLocked = input.channel_locked || !(await this.policy.mayUnlock(actor, place));
    this.hooks.requireEnabled();
    const { username, iconUrl } = this.overrides(input, { username: '', iconUrl: '' });
    if (input.id !== '') throw incomingHookIdGiven();
    const { display_name: displayName, description, keep_requests: keepRequests } = input;
    const isLimited = !(await this.policy.managesOthers(actor, channel.teamId));
    const names = { displayName, description, username, iconUrl };
    const limits = {
      expiresAt: input.expires_at,
      rateLimit: input.rate_limit,
      aliasPath: requireValidAlias(input.slack_path, input.rocketchat_path),
      format: input.format,
      template: input.template,
    };
    requireValidExpiry(limits.expiresAt, this.clock.now());
    const record = {
      userId,
      makerId: actor.userId,
      ...names,
      channelLocked,
      keepRequests,
      ...limits,
      verifier: input.verifier,
    };
    return this.hooks.shown(await this.add(channel, record, isLimited));
  }

  /** Adds a hook without permission checks: for the first start, and for `create`, which does them. */
  async add(channel: Channel, { verifier, ...input }: NewHook, isLimited = false): Promise<IncomingHook> {
    const now = this.clock.now();
    const id = newId();
    const record: IncomingHook = {
      id,
      originId: id,
      createAt: now,
      updateAt: now,
      deleteAt: 0,
      channelId: channel.id,
      teamId: channel.teamId,
      username: '',
      iconUrl: '',
      channelLocked: false,
      keepRequests: false,
      format: PAYLOAD_FORMAT,
      template: '',
      lastUsed: 0,
      ...{ expiresAt: 0, expiryReminders: 0, rateLimit: 0, aliasPath: '' },
      verifier: null,
      sealedVerifierSecrets: '',
      ...input,
    };
    record.aliasPath ||= id;
    requireValidHook(record);
    const hook = { ...record, ...this.verifiers.changeOf(record, verifier) };
    this.audit.concerns({ id: hook.id });
    await this.limits.within(hook, isLimited, () =>
      withFreeAlias(hook.aliasPath, () => this.repository.insert(hook)),
    );
    await this.events.publish(new IncomingHookCreated(hook.id));
    return hook;
  }

  async update(actor: Actor, id: string, input: UpdateIncomingHookDto): Promise<ShownHook> {
    if (input.id !== id)
      throw new InvalidBodyParam('hook_id', 'the id in the body must be the one in the path');
    this.hooks.requireEnabled();
    const hook = await this.hooks.load(id);
    if (input.team_id !== '' && input.team_id !== hook.teamId) throw teamMismatch();
    return this.change(actor, hook, { ...input, user_id: hook.userId });
  }

  /** Changes only the fields that are set. */
  async patch(actor: Actor, id: string, input: PatchIncomingHookDto): Promise<ShownHook> {
    this.hooks.requireEnabled();
    const hook = await this.hooks.load(id);
    return this.change(actor, hook, { ...fieldsOf(hook), ...definedOnly(input) });
  }

  private async change(actor: Actor, hook: IncomingHook, fields: HookFields): Promise<ShownHook> {
    const channel = await this.channels.get(fields.channel_id);
    if (channel.teamId !== hook.teamId) {
      throw new InvalidBodyParam('channel_id', 'the channel must be in the team of the webhook');
    }
    await this.requireMove(actor, hook, channel);
    const isHandedOver = fields.user_id !== hook.userId;
    if (isHandedOver) await this.policy.requireManageOthers(actor, hook.teamId);
    if (fields.user_id === '') throw new InvalidBodyParam('user_id', 'a webhook always has an owner');
    const { expires_at: expiresAt = hook.expiresAt, rate_limit: rateLimit = hook.rateLimit } = fields;
    const isExtended = expiresAt !== hook.expiresAt;
    if (isExtended) requireValidExpiry(expiresAt, this.clock.now());
    const userId = isHandedOver ? await this.ownerOf(actor, fields.user_id, channel) : hook.userId;
    const fieldChange = {
      userId,
      channelId: channel.id,
      displayName: fields.display_name,
      description: fields.description,
      ...this.overrides(fields, hook),
      channelLocked:
        fields.channel_locked ||
        !(await this.policy.mayUnlock(actor, { teamId: hook.teamId, channelId: channel.id })),
      keepRequests: fields.keep_requests ?? hook.keepRequests,
      ...(isExtended && { expiresAt, expiryReminders: 0 }),
      rateLimit,
      aliasPath: aliasAfter(hook, fields),
      format: fields.format ?? hook.format,
      template: fields.template ?? hook.template,
      makerId: await this.makerAfter(actor, hook, isHandedOver),
      updateAt: Math.max(this.clock.now(), hook.updateAt + 1),
    };
    requireValidHook({ ...hook, ...fieldChange });
    const change = { ...fieldChange, ...this.verifiers.changeOf(hook, fields.verifier) };
    if (isHandedOver) await this.keeper.flush();
    await withFreeAlias(change.aliasPath, () =>
      this.unitOfWork.run(async () => {
        await this.hooks.save(hook.id, differences(hook, change), new IncomingHookUpdated(hook.id));
        // The new owner may not see what the old one could.
        if (isHandedOver) await this.kept.deleteOfHook(hook.id);
      }),
    );
    if (isHandedOver) this.limits.forgetBounds();
    return this.hooks.shown({ ...hook, ...change });
  }

  /** A webhook that is handed over never speaks for its new owner, because others know its URL. */
  private async makerAfter(actor: Actor, hook: IncomingHook, isHandedOver: boolean): Promise<string> {
    const { makerId, userId } = hook;
    if (isHandedOver) return makerId === '' ? userId : makerId;
    return (await this.policy.keepsMaker(actor, hook)) ? makerId : actor.userId;
  }

  /** Moving a hook requires permission for both the old and the new channel. */
  private async requireMove(actor: Actor, hook: IncomingHook, target: Channel): Promise<void> {
    await this.policy.requireManage(actor, hook, target);
    if (target.id === hook.channelId) return;
    const current = await this.channels.find(hook.channelId);
    if (current) await this.policy.requireManage(actor, hook, current);
  }

  private async ownerOf(actor: Actor, wanted: string, channel: Channel): Promise<string> {
    if (wanted === '' || wanted === actor.userId) return actor.userId;
    await this.policy.requireOwner(actor, wanted, channel.teamId);
    const user = await this.users.get(wanted);
    requireLocalUser(user, 'user_id');
    return user.id;
  }

  /** Returns name and icon from the body, or the stored ones if the settings do not allow overrides. */
  private overrides(
    input: { readonly username: string; readonly icon_url: string },
    stored: Pick<IncomingHook, 'username' | 'iconUrl'>,
  ): Pick<IncomingHook, 'username' | 'iconUrl'> {
    const { enablePostUsernameOverride, enablePostIconOverride } = this.postsSettings;
    const username = enablePostUsernameOverride ? input.username : stored.username;
    const iconUrl = enablePostIconOverride ? pictureUrl(input.icon_url) : stored.iconUrl;
    if (username !== stored.username) requireValidUsername(username);
    return { username, iconUrl };
  }
}

/** The path after a change; absent fields stay. Throws ValidationFailed. */
function aliasAfter({ id, aliasPath }: IncomingHook, fields: Partial<HookFields>): string {
  const { slack_path: slackPath, rocketchat_path: rocketChatPath } = fields;
  if (slackPath === undefined && rocketChatPath === undefined) return aliasPath;
  const path = requireValidAlias(
    slackPath ?? (isSlackPath(aliasPath) ? aliasPath : ''),
    rocketChatPath ?? (isRocketChatPath(aliasPath) ? aliasPath : ''),
  );
  return path || id;
}

/** Columns that stay are not written, so that concurrent changes of others are kept. */
function differences(hook: IncomingHook, change: Partial<IncomingHook>): Partial<IncomingHook> {
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(hook[name as keyof IncomingHook]);
  return Object.fromEntries(Object.entries(change).filter(isChanged));
}

function fieldsOf(hook: IncomingHook): HookFields {
  return {
    user_id: hook.userId,
    channel_id: hook.channelId,
    display_name: hook.displayName,
    description: hook.description,
    username: hook.username,
    icon_url: hook.iconUrl,
    channel_locked: hook.channelLocked,
    keep_requests: hook.keepRequests,
    expires_at: hook.expiresAt,
    rate_limit: hook.rateLimit,
    format: hook.format,
    template: hook.template,
  };
}
