import { Injectable } from '@nestjs/common';
import { Between, In, MoreThan, Not } from 'typeorm';
import type { Statement } from '../../platform/database/statement.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Session } from './session.entity.js';

const MAX_OVERFLOW = 1000;

/** Queries on sessions. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  findByTokenHash(tokenHash: string): Promise<Session | null> {
    return this.sessions.findOneBy({ tokenHash });
  }

  find(id: string): Promise<Session | null> {
    return this.sessions.findOneBy({ id });
  }

  /** A user's unexpired sessions, most recently used first. */
  async listByUser(userId: string, now: number): Promise<Session[]> {
    const open = [
      { userId, expiresAt: 0 },
      { userId, expiresAt: MoreThan(now) },
    ];
    return this.sessions.find({ where: open, order: { lastActivityAt: 'DESC', id: 'ASC' } });
  }

  async insert(session: Session): Promise<void> {
    await this.sessions.insert(session);
  }

  recordActivity(id: string, lastActivityAt: number, expiresAt: number): Statement {
    return {
      sql: 'UPDATE sessions SET last_activity_at = ?, expires_at = ? WHERE id = ?',
      parameters: [lastActivityAt, expiresAt, id],
    };
  }

  async delete(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.sessions.delete({ id: In([...ids]) });
  }

  async deleteExpired(userId: string, now: number): Promise<void> {
    await this.sessions.delete({ userId, expiresAt: Between(1, now) });
  }

  /** The ids of a user's sessions except the `keep` most recently used ones. */
  async listOverflow(userId: string, keep: number): Promise<string[]> {
    const rows = await this.sessions.find({
      select: { id: true },
      where: { userId },
      order: { lastActivityAt: 'DESC', createAt: 'DESC', id: 'ASC' },
      skip: keep,
      take: MAX_OVERFLOW,
    });
    return rows.map((row) => row.id);
  }

  async listByDevice(userId: string, deviceId: string): Promise<string[]> {
    const rows = await this.sessions.find({ select: { id: true }, where: { userId, deviceId } });
    return rows.map((row) => row.id);
  }

  async deleteByUser(userId: string, exceptId = ''): Promise<void> {
    await this.sessions.delete({ userId, id: Not(exceptId) });
  }

  async listUserIds(): Promise<string[]> {
    const rows = await this.sessions
      .createQueryBuilder('s')
      .select('DISTINCT s.userId', 'userId')
      .getRawMany<{ userId: string }>();
    return rows.map(({ userId }) => userId);
  }

  async deleteAll(): Promise<void> {
    await this.sessions.deleteAll();
  }

  private get sessions() {
    return this.unitOfWork.manager.getRepository(Session);
  }
}
