import { Module } from '@nestjs/common';
import { IncomingHookDeleted } from '../src/incoming-hooks/incoming-hooks.events.js';
import { Preference } from '../src/messaging/users/preference.entity.js';
import { OutgoingHookDeleted } from '../src/outgoing-hooks/outgoing-hooks.events.js';
import { UnitOfWork } from '../src/platform/database/unit-of-work.js';
import { InTransaction } from '../src/platform/events/listeners.js';
import { buildIncomingHook, buildTeam } from './factories/incoming-hooks.js';
import { buildOutgoingHook } from './factories/outgoing-hooks.js';
import { addToApp } from './support/app-modules.js';
import { expectError } from './support/expect-error.js';
import { startTestServer, type TestServer } from './support/test-server.js';

/** Records each deletion in its own table, like a module that stores something for each hook. */
class DeletionNotes {
  userId = '';
  mayFail = false;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  @InTransaction(IncomingHookDeleted)
  @InTransaction(OutgoingHookDeleted)
  async onDeleted({ hookId }: IncomingHookDeleted | OutgoingHookDeleted): Promise<void> {
    const { userId } = this;
    const row = { userId, category: 'deleted_hooks', name: hookId, value: 'true' };
    await this.unitOfWork.manager.insert(Preference, row);
    if (this.mayFail) throw new Error('no note of this one');
  }
}

@Module({
  providers: [
    {
      provide: DeletionNotes,
      inject: [UnitOfWork],
      useFactory: (work: UnitOfWork) => new DeletionNotes(work),
    },
  ],
})
class DeletionNotesModule {}

describe('a module that participates in the deletion of a hook', () => {
  let removeFromApp: () => void;
  let server: TestServer;
  let teamId: string;
  let channelId: string;

  beforeAll(async () => {
    removeFromApp = addToApp(DeletionNotesModule);
    server = await startTestServer();
    set({ userId: server.adminId });
  });
  afterAll(async () => {
    await server.close();
    removeFromApp();
  });
  beforeEach(async () => {
    ({ id: teamId, channelId } = await buildTeam(server.admin));
    set({ mayFail: false });
  });

  const set = (fields: Partial<DeletionNotes>): void =>
    server.everywhere(DeletionNotes).forEach((notes) => Object.assign(notes, fields));
  const noted = async (): Promise<string[]> => {
    const { body } = await server.admin.get('/users/me/preferences');
    return body.filter(({ category }: any) => category === 'deleted_hooks').map(({ name }: any) => name);
  };

  describe.each([
    ['incoming', () => buildIncomingHook(server.admin, channelId)],
    ['outgoing', () => buildOutgoingHook(server.admin, teamId, { channel_id: channelId })],
  ])('that is %s', (direction, build) => {
    const pathOf = ({ id }: { readonly id: string }): string => `/hooks/${direction}/${id}`;

    it('commits its rows with it', async () => {
      const hook = await build();
      expect((await server.admin.delete(pathOf(hook))).status).toBe(200);
      expect(await noted()).toContain(hook.id);
      expect((await server.admin.get(pathOf(hook))).status).toBe(404);
    });

    it('rolls back the deletion and its own rows when it fails', async () => {
      const hook = await build();
      set({ mayFail: true });
      expectError(await server.admin.delete(pathOf(hook), undefined, { isBroken: true }), 500);
      expect(await noted()).not.toContain(hook.id);
      const kept = await server.admin.get(pathOf(hook));
      expect(kept.body).toMatchObject({ id: hook.id, delete_at: 0, update_at: hook.update_at });
      set({ mayFail: false });
      expect((await server.admin.delete(pathOf(hook))).status).toBe(200);
    });

    it('also keeps the channel when the hook would be deleted with it', async () => {
      const hook = await build();
      set({ mayFail: true });
      const path = `/channels/${channelId}`;
      expectError(await server.admin.delete(path, undefined, { isBroken: true }), 500);
      expect((await server.admin.get(`/channels/${channelId}`)).body.delete_at).toBe(0);
      expect((await server.admin.get(pathOf(hook))).status).toBe(200);
      set({ mayFail: false });
      expect((await server.admin.delete(`/channels/${channelId}`)).status).toBe(200);
      expect(await noted()).toContain(hook.id);
    });
  });
});
