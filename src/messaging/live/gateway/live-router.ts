import { Injectable, Logger } from '@nestjs/common';
import { stackOf } from '../../../platform/common/errors/stack-of.js';
import { AppError } from '../../../platform/common/errors/app-error.js';
import { DatabaseUnavailable, internalError } from '../../../platform/common/errors/common-errors.js';
import { Settings } from '../../../platform/config/settings.js';
import { isDatabaseUnavailable } from '../../../platform/database/database-errors.js';
import { LiveActions } from '../actions/live-actions.js';
import { CloseCode, type LiveSocket } from '../connections/live-socket.js';
import { type ClientFrame, failReply, okReply } from '../frames.js';
import { LiveAuthentication } from '../live-authentication.js';
import { badSequence, noAction, notAuthenticated } from '../live.errors.js';

/** Answers the frames of clients, with the contract's order of checks (docs/contract/messaging.md#live-frames). */
@Injectable()
export class LiveRouter {
  private readonly logger = new Logger(LiveRouter.name);

  constructor(
    private readonly authentication: LiveAuthentication,
    private readonly actions: LiveActions,
    private readonly settings: Settings,
  ) {}

  /** Sends the reply, also for errors. Never throws. */
  async answer(socket: LiveSocket, frame: ClientFrame): Promise<void> {
    try {
      if (frame.action === '') throw noAction();
      if (frame.seq <= 0) throw badSequence();
      if (frame.action === 'authentication_challenge') return await this.challenge(socket, frame);
      if (!socket.connection) throw notAuthenticated();
      await this.authentication.endExpired();
      if (!socket.isOpen) return;
      const data = await this.actions.perform(socket.connection, frame.action, frame.data);
      socket.send(okReply(frame.seq, data));
    } catch (error) {
      socket.send(failReply(frame.seq, this.toAppError(frame, error), this.settings.developerMode));
    }
  }

  /** A wrong token closes the socket. */
  private async challenge(socket: LiveSocket, { seq, data }: ClientFrame): Promise<void> {
    if (socket.connection) return socket.send(okReply(seq)); // already signed in by cookie
    const token = data['token'];
    const proof = typeof token === 'string' ? await this.authentication.prove(token) : null;
    if (!proof) return socket.close(CloseCode.PolicyViolation, 'The token is not valid.');
    if (!socket.isOpen) return;
    socket.send(okReply(seq));
    this.authentication.admitLate(socket, proof);
  }

  private toAppError({ action }: ClientFrame, error: unknown): AppError {
    if (error instanceof AppError) return error;
    if (isDatabaseUnavailable(error)) return new DatabaseUnavailable(error);
    this.logger.error(`The action ${action.slice(0, 64)} failed.`, stackOf(error));
    return internalError();
  }
}
