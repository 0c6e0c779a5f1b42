import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { EntityManager } from 'typeorm';
import { type Contribution, Contributes, EventBus, InTransaction } from './event-bus.js';
import { EventsModule } from './events.module.js';

class Opened {
  readonly name = 'test.opened';
}
class Closed {
  readonly name = 'test.closed';
}
class Heard {}

@Injectable()
class Listener {
  readonly written: object[] = [];

  @InTransaction(Opened)
  @InTransaction(Closed)
  async write(event: object): Promise<void> {
    this.written.push(event);
  }

  @Contributes(Opened)
  @Contributes(Closed)
  async contribute(event: object): Promise<readonly Contribution[]> {
    return [{ entity: Heard, rows: [event], sizeBytes: 1 }];
  }
}

describe('EventBus', () => {
  it('calls a method for every event it is marked for, and for no other', async () => {
    const module = await Test.createTestingModule({
      imports: [EventsModule],
      providers: [Listener],
    }).compile();
    await module.init();
    const bus = module.get(EventBus);
    const events = [new Opened(), new Closed()];
    for (const event of [...events, new Heard()]) await bus.inTransaction(event, {} as EntityManager);
    expect(module.get(Listener).written).toEqual(events);
    for (const event of events)
      expect(await bus.contributions(event)).toEqual([{ entity: Heard, rows: [event], sizeBytes: 1 }]);
    expect(await bus.contributions(new Heard())).toEqual([]);
    await module.close();
  });
});
