import { type Env, SettingError } from './parse.js';
import { Settings } from './settings.js';

/** Settings that clients read when they start, by name. */
export type ClientSettings = Readonly<Record<string, string | number | boolean>>;

/** The settings of one module. The constructor reads them from the environment and throws SettingError. */
export type SettingsClass<T extends object = object> = new (env: Env) => T & {
  /** The part that clients read when they start. */
  forClients?(): ClientSettings;
};

/**
 * The settings of the platform and of every module, read and validated together. Throws SettingError, naming the
 * variable, if one is invalid or read by two classes.
 */
export class AllSettings {
  private readonly values = new Map<SettingsClass, InstanceType<SettingsClass>>();
  private readonly readers = new Map<string, SettingsClass>();

  constructor(env: Env, classes: readonly SettingsClass[]) {
    for (const type of [Settings, ...classes]) {
      this.values.set(
        type,
        new type(
          trackReads(env, (variable) => {
            const other = this.readers.get(variable) ?? type;
            if (other !== type)
              throw new SettingError(`${variable} is read by ${other.name} and by ${type.name}.`);
            this.readers.set(variable, type);
          }),
        ),
      );
    }
  }

  /** The settings of one class. Throws if no module declares it. */
  get<T extends object>(type: SettingsClass<T>): T {
    const settings = this.values.get(type);
    if (!settings) throw new Error(`No module declares ${type.name}.`);
    return settings as T;
  }

  /** The names of all variables that are settings. */
  get names(): ReadonlySet<string> {
    return new Set(this.readers.keys());
  }

  /** Every settings class with its instance. */
  entries(): [SettingsClass, object][] {
    return [...this.values];
  }

  /** The client settings of all classes, merged. */
  forClients(): ClientSettings {
    return Object.assign(
      {},
      ...[...this.values.values()].map((settings) => settings.forClients?.()),
    ) as ClientSettings;
  }
}

/** The environment, calling `onRead` for each variable that is read. */
function trackReads(env: Env, onRead: (variable: string) => void): Env {
  return new Proxy(env, {
    get: (variables, name: string) => {
      onRead(name);
      return variables[name];
    },
  });
}
