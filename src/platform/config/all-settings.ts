import { type AboutSettings, type Env, observeReaders, type ReadSetting, SettingError } from './parse.js';
import { inForce, type SettingInForce } from './setting-in-force.js';
import { Settings } from './settings.js';

/** Settings that clients read when they start, by name. */
export type ClientSettings = Readonly<Record<string, string | number | boolean>>;

/** The settings of one module. The constructor reads them from the environment and throws SettingError. */
export type SettingsClass<T extends object = object> = (new (env: Env) => T & {
  /** The part that clients read when they start. */
  forClients?(): ClientSettings;
}) & {
  /** What docs/settings.md says of them. */
  readonly about?: AboutSettings;
};

/** A setting as docs/settings.md describes it. */
export interface DescribedSetting extends ReadSetting {
  readonly section: string;
  readonly meaning: string;
}

/**
 * The settings of the platform and of every module, read and validated together. Throws SettingError, naming the
 * variable, if one is invalid or read by two classes.
 */
export class AllSettings {
  private readonly values = new Map<SettingsClass, InstanceType<SettingsClass>>();
  private readonly readers = new Map<string, SettingsClass>();
  private readonly reads = new Map<string, ReadSetting>();

  /** `fromFile`: the names of the variables that come from `.env`. */
  constructor(
    private readonly env: Env,
    classes: readonly SettingsClass[],
    private readonly fromFile: ReadonlySet<string> = new Set(),
  ) {
    for (const type of [Settings, ...classes]) {
      const tracked = trackReads(env, (variable) => {
        const other = this.readers.get(variable) ?? type;
        if (other !== type)
          throw new SettingError(`${variable} is read by ${other.name} and by ${type.name}.`);
        this.readers.set(variable, type);
      });
      observeReaders(tracked, (read) => this.reads.set(read.name, read));
      this.values.set(type, new type(tracked));
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

  /** What the classes say of their settings, for docs/settings.md. */
  described(): DescribedSetting[] {
    return [...this.values.keys()].flatMap(({ about = {} }) =>
      Object.entries(about).flatMap(([section, meanings]) =>
        Object.entries(meanings).map(([name, meaning]) => {
          const read = this.reads.get(name) ?? { name, values: 'text', fallback: '' };
          return { ...read, section, meaning };
        }),
      ),
    );
  }

  /** What is in force in this process, and where it comes from. Of secrets only that they are set. */
  inForce(): (DescribedSetting & SettingInForce)[] {
    return this.described().map((setting) => ({
      ...setting,
      ...inForce(setting, {
        text: this.env[setting.name],
        isFromFile: this.fromFile.has(setting.name),
        isDescribed: this.reads.has(setting.name),
      }),
    }));
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
