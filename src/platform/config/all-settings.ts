import { type Env, SettingError } from './parse.js';
import { Settings } from './settings.js';

/** Names and values that clients read at start. */
export type ClientSettings = Readonly<Record<string, string | number | boolean>>;

/** The settings of one module, read from the environment by its constructor, which throws SettingError. */
export type SettingsClass<T extends object = object> = new (env: Env) => T & {
  /** What clients read of them at start. */
  forClients?(): ClientSettings;
};

/**
 * The settings of the platform and of every module, read and checked together. Throws SettingError naming the variable
 * that is wrong, or that two of them read.
 */
export class AllSettings {
  private readonly values = new Map<SettingsClass, InstanceType<SettingsClass>>();

  constructor(env: Env, classes: readonly SettingsClass[]) {
    const readers = new Map<string, SettingsClass>();
    for (const type of [Settings, ...classes]) {
      this.values.set(
        type,
        new type(
          noting(env, (variable) => {
            const other = readers.get(variable) ?? type;
            if (other !== type)
              throw new SettingError(`${variable} is read by ${other.name} and by ${type.name}.`);
            readers.set(variable, type);
          }),
        ),
      );
    }
  }

  /** The settings of one class. */
  get<T extends object>(type: SettingsClass<T>): T {
    const settings = this.values.get(type);
    if (!settings) throw new Error(`No module declares ${type.name}.`);
    return settings as T;
  }

  /** Each class with its settings. */
  entries(): [SettingsClass, object][] {
    return [...this.values];
  }

  /** What clients read at start, of all of them. */
  forClients(): ClientSettings {
    return Object.assign(
      {},
      ...[...this.values.values()].map((settings) => settings.forClients?.()),
    ) as ClientSettings;
  }
}

/** The environment, telling which variables are looked at. */
function noting(env: Env, note: (variable: string) => void): Env {
  return new Proxy(env, {
    get: (variables, name: string) => {
      note(name);
      return variables[name];
    },
  });
}
