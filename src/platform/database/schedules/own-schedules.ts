import { PeriodicTask } from '../periodic-task.js';
import { type Schedule, type ScheduledWork, Schedules } from './schedules.js';

/** The schedules of a process that serves its database alone. */
export class OwnSchedules extends Schedules {
  add({ name, owner, failure, work }: ScheduledWork): Schedule {
    const task = new PeriodicTask(owner, failure, work);
    return {
      name,
      get isStopped() {
        return task.isStopped;
      },
      start: (intervalMs) => task.start(intervalMs),
      runIfDue: () => task.run(),
      run: () => task.run(),
      stop: () => task.stop(),
    };
  }
}
