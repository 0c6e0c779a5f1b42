import { Injectable } from '@nestjs/common';
import { InvalidBodyParam } from '../../../platform/common/errors/common-errors.js';
import { isId } from '../../../platform/common/ids.js';
import type { Actor } from '../../permissions/actor.js';
import type { UpdateStatusDto } from '../dto/status.dto.js';
import { UsersPolicy } from '../users.policy.js';
import { VisibleUsers } from '../visible-users.js';
import { UserRecords } from '../user-records.js';
import { type Status, STATUS_NAMES, type StatusName } from './status-record.js';
import { StatusesService } from './statuses.service.js';

/** The use cases of statuses. */
@Injectable()
export class UserStatusesService {
  constructor(
    private readonly statuses: StatusesService,
    private readonly users: UserRecords,
    private readonly policy: UsersPolicy,
    private readonly visible: VisibleUsers,
  ) {}

  /** Leaves out users whom the caller may not see. */
  async list(actor: Actor, ids: readonly string[]): Promise<Status[]> {
    if (!ids.every(isId)) throw new InvalidBodyParam('user_ids', 'each must be 26 letters and digits');
    return this.statuses.list(await this.visible.only(actor, ids, (id) => id));
  }

  async get(id: string): Promise<Status> {
    await this.users.get(id);
    return this.statuses.get(id);
  }

  async choose(actor: Actor, id: string, body: UpdateStatusDto): Promise<Status> {
    const { user_id, status, dnd_end_time } = body;
    if (user_id !== id) throw new InvalidBodyParam('user_id', 'it must be the user of the path');
    if (!isStatusName(status))
      throw new InvalidBodyParam('status', `it must be one of ${STATUS_NAMES.join(', ')}`);
    if (dnd_end_time < 0 || dnd_end_time > Number.MAX_SAFE_INTEGER / 1000)
      throw new InvalidBodyParam('dnd_end_time');
    await this.policy.requireManage(actor, id);
    await this.users.get(id);
    return this.statuses.choose(id, status, dnd_end_time);
  }
}

function isStatusName(text: string): text is StatusName {
  return STATUS_NAMES.includes(text);
}
