import { Entity, Index } from 'typeorm';
import {
  BigColumn,
  BooleanColumn,
  IdColumn,
  IntColumn,
  JsonColumn,
  PrimaryIdColumn,
  TextColumn,
} from '../../platform/database/columns.js';

/** Who set an address; empty means a system administrator. Other sources count as the user's own claim. */
export type EmailSource = '' | 'sign-up' | 'self';

/** The account of a person or a bot (docs/contract/messaging.md#users). `deleteAt` above 0 means deactivated. */
@Entity('users')
@Index('ux_users_username', ['username'], { unique: true })
@Index('ux_users_email', ['email'], { unique: true })
@Index('ix_users_active', ['deleteAt', 'username'])
@Index('ix_users_bot', ['isBot', 'createAt', 'id'])
@Index('ix_users_bot_owner', ['botOwnerId'])
@Index('ix_users_remote', ['remoteId'])
export class User {
  @PrimaryIdColumn() id: string;
  @BigColumn() createAt: number;
  @BigColumn() updateAt: number;
  @BigColumn() deleteAt: number;
  @TextColumn(64) username: string;
  /** An argon2id hash in PHC format, or bcrypt until the next sign-in; never leaves the server. */
  @TextColumn(255) passwordHash: string;
  @TextColumn(128) email: string;
  @BooleanColumn() emailVerified: boolean;
  /** Who vouches for the address: an administrator, or only the user. */
  @TextColumn(8, { default: '' }) emailSource: EmailSource;
  @TextColumn(64) nickname: string;
  @TextColumn(64) firstName: string;
  @TextColumn(64) lastName: string;
  @TextColumn(128) position: string;
  @TextColumn(256) roles: string;
  @JsonColumn() props: Record<string, string>;
  @JsonColumn() notifyProps: Record<string, string>;
  @JsonColumn() timezone: Record<string, string>;
  @TextColumn(5) locale: string;
  @BigColumn() lastPasswordUpdate: number;
  @IntColumn() failedAttempts: number;
  @BigColumn() lastFailedAt: number;
  @BigColumn() lastLogin: number;
  /** Hashes of the addresses of recent logins, newest last (`KnownAddresses`). */
  @TextColumn(255, { default: '' }) knownAddresses: string;
  /** The connection the account was received from; empty for local accounts. */
  @IdColumn({ default: '' }) remoteId: string;
  /** Whether a remote account was deactivated on this server. `deleteAt` is above 0 if either server did. */
  @BooleanColumn({ default: false }) isDeactivatedHere: boolean;
  /** A program account, without a password. */
  @BooleanColumn({ default: false }) isBot: boolean;
  /** The owner of a bot; empty for users and for the server's own bots. */
  @IdColumn({ default: '' }) botOwnerId: string;
  @TextColumn(1024, { default: '' }) botDescription: string;
}
