import { Injectable } from '@nestjs/common';
import { On, OnEverywhere } from '../../../platform/events/listeners.js';
import { UserDto, type UserView } from '../../users/dto/user.dto.js';
import { UserRecords } from '../../users/user-records.js';
import {
  PreferencesChanged,
  UserActivationChanged,
  UserCreated,
  UserRolesUpdated,
  UserStatusChanged,
  UserUpdated,
} from '../../users/users.events.js';
import type { Broadcast, LiveData } from '../live-event.js';
import { LiveEventsService } from '../live-events.service.js';

/** Sends events about accounts (docs/contract/messaging.md#live-events): each receiver gets the fields they may see. */
@Injectable()
export class UserEventsListener {
  constructor(
    private readonly live: LiveEventsService,
    private readonly users: UserRecords,
  ) {}

  @OnEverywhere(UserCreated)
  onUserCreated({ userId }: UserCreated): void {
    this.live.publish({ event: 'new_user', broadcast: { aboutUserId: userId }, data: { user_id: userId } });
  }

  @OnEverywhere(UserUpdated)
  onUserUpdated({ userId }: UserUpdated): void {
    const toOthers = { omitUsers: [userId], aboutUserId: userId };
    this.publishUser(userId, 'admin', { ...toOthers, split: 'admins' });
    this.publishUser(userId, 'other', { ...toOthers, split: 'others' });
    this.publishUser(userId, 'self', { userId });
  }

  @OnEverywhere(UserRolesUpdated)
  onUserRolesUpdated({ userId, roles }: UserRolesUpdated): void {
    this.live.publish({
      event: 'user_role_updated',
      broadcast: { userId },
      data: { user_id: userId, roles },
    });
  }

  @OnEverywhere(UserActivationChanged)
  onUserActivationChanged(): void {
    this.live.publish({ event: 'user_activation_status_change', broadcast: {}, data: {} });
  }

  @On(UserStatusChanged)
  onUserStatusChanged({ userId, status }: UserStatusChanged): void {
    this.live.publish({ event: 'status_change', broadcast: { userId }, data: { user_id: userId, status } });
  }

  @OnEverywhere(PreferencesChanged)
  onPreferencesChanged({ userId, preferences, isDeletion }: PreferencesChanged): void {
    this.live.publish({
      event: isDeletion ? 'preferences_deleted' : 'preferences_changed',
      broadcast: { userId },
      data: () => ({
        preferences: JSON.stringify(
          preferences.map(({ category, name, value }) => ({ user_id: userId, category, name, value })),
        ),
      }),
    });
  }

  private publishUser(userId: string, view: UserView, broadcast: Broadcast): void {
    const data = async (): Promise<LiveData | null> => {
      const user = await this.users.find(userId);
      return user && { user: UserDto.from(user, view) };
    };
    this.live.publish({ event: 'user_updated', broadcast, data });
  }
}
