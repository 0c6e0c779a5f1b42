import { Injectable, Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { UnitOfWork } from '../database/unit-of-work.js';
import { unitOfWorkWithoutDatabase } from '../../../test/support/unit-of-work.js';
import { type DomainEvent, EventBus } from './event-bus.js';
import { EventsModule } from './events.module.js';
import { InTransaction, On } from './listeners.js';

class Opened implements DomainEvent {
  readonly name = 'test.opened';
}
class Closed implements DomainEvent {
  readonly name = 'test.closed';
}

class Announced implements DomainEvent {
  readonly name = 'test.announced';
}

@Injectable()
class Listener {
  readonly written: DomainEvent[] = [];
  readonly heard: DomainEvent[] = [];

  @InTransaction(Opened)
  @InTransaction(Closed)
  async write(event: Opened | Closed): Promise<void> {
    this.written.push(event);
  }

  @On(Opened)
  @On(Closed)
  hear(event: Opened | Closed): void {
    this.heard.push(event);
  }
}

@Injectable()
class AnnouncementsOnly {
  readonly heard: DomainEvent[] = [];

  @On(Announced)
  fail(): void {
    throw new Error('at once');
  }

  @On(Announced)
  failLater(): Promise<void> {
    return Promise.reject(new Error('later'));
  }

  @On(Announced)
  hear(event: Announced): void {
    this.heard.push(event);
  }
}

describe('EventBus', () => {
  let module: TestingModule;
  let bus: EventBus;
  let unitOfWork: UnitOfWork;
  let listener: Listener;

  beforeEach(async () => {
    unitOfWork = unitOfWorkWithoutDatabase();
    module = await Test.createTestingModule({
      imports: [EventsModule],
      providers: [Listener, AnnouncementsOnly],
    })
      .useMocker((token) => (token === UnitOfWork ? unitOfWork : undefined))
      .compile();
    module.useLogger(false);
    await module.init();
    bus = module.get(EventBus);
    listener = module.get(Listener);
  });
  afterEach(() => module.close());

  it('runs in-transaction listeners with the unit of work, and others after the commit', async () => {
    const events = [new Opened(), new Closed()];
    await unitOfWork.run(async () => {
      for (const event of events) await bus.publish(event);
      expect(listener.written).toEqual(events);
      expect(listener.heard).toEqual([]);
    });
    expect(listener.heard).toEqual(events);
  });

  it('does not announce what was rolled back', async () => {
    const failing = unitOfWork.run(async () => {
      await bus.publish(new Opened());
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(listener.heard).toEqual([]);
  });

  it('fails the change with an in-transaction listener', async () => {
    bus.listen('in transaction', Opened, () => Promise.reject(new Error('refused')));
    await expect(unitOfWork.run(() => bus.publish(new Opened()))).rejects.toThrow('refused');
    expect(listener.heard).toEqual([]);
  });

  it('rejects an event with in-transaction listeners outside a unit of work', () => {
    expect(() => bus.publish(new Opened())).toThrow('Opened was published outside a unit of work.');
    expect(listener.heard).toEqual([]);
  });

  it('announces at once outside a unit of work; failures are logged and not passed on', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    await bus.publish(new Announced());
    expect(module.get(AnnouncementsOnly).heard).toHaveLength(1);
    await new Promise(setImmediate);
    expect(log.mock.calls.map(([message]) => message)).toEqual([
      'AnnouncementsOnly.fail failed on Announced.',
      'AnnouncementsOnly.failLater failed on Announced.',
    ]);
    log.mockRestore();
  });
});
