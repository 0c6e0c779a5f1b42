import { newId } from '../common/ids.js';
import { Bus } from './bus.js';

/** The bus of a process that serves its database alone: nobody else is there to hear. */
export class LocalBus extends Bus {
  readonly processId = newId();
  readonly hasOthers = false;
  readonly isConnected = true;

  publish(): void {
    // There are no others.
  }

  skip(): void {
    // There are no others.
  }

  subscribe(): void {
    // There are no others.
  }

  onGap(): void {
    // Nothing can be lost.
  }

  onJoined(): void {
    // Nobody comes.
  }

  onLeft(): void {
    // Nobody goes.
  }
}
