import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';

/** Finds the hooks that watch a private channel. */
@Injectable()
export class PrivateHooksReadModel {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  async listIds(): Promise<string[]> {
    const rows = await this.unitOfWork.manager.query<{ id: string }[]>(
      "SELECT hook.id FROM outgoing_webhooks hook JOIN channels channel ON channel.id = hook.channel_id WHERE hook.delete_at = 0 AND channel.type <> 'O'",
    );
    return rows.map(({ id }) => id);
  }
}
