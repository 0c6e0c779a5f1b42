import { distance } from 'fastest-levenshtein';
import { type AboutSettings, type Env, observeReaders, type ReadSetting, SettingError } from './parse.js';
import { inForce, type SettingInForce, Settings } from './settings.js';

/** Settings that clients read at startup, by name. */
export type ClientSettings = Readonly<Record<string, string | number | boolean>>;

/** The settings of one module. The constructor reads them from the environment and throws SettingError. */
export type SettingsClass<T extends object = object> = (new (env: Env) => T & {
  forClients?(): ClientSettings;
}) & {
  readonly about?: AboutSettings;
};

/** A setting as docs/settings.md describes it. */
interface DescribedSetting extends ReadSetting {
  readonly section: string;
  readonly meaning: string;
}

/** The settings of every module. Throws SettingError if a variable is invalid or read by two classes. */
export class AllSettings {
  private readonly values = new Map<SettingsClass, InstanceType<SettingsClass>>();
  private readonly readers = new Map<string, SettingsClass>();
  private readonly reads = new Map<string, ReadSetting>();

  /** `fromFile`: the names of the variables set by `.env`. */
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

  get names(): ReadonlySet<string> {
    return new Set(this.readers.keys());
  }

  /** The descriptions of all settings, for docs/settings.md. */
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

  /** The values in force in this process and their origins. Secrets only show whether they are set. */
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

  entries(): [SettingsClass, object][] {
    return [...this.values];
  }

  forClients(): ClientSettings {
    return Object.assign(
      {},
      ...[...this.values.values()].map((settings) => settings.forClients?.()),
    ) as ClientSettings;
  }
}

function trackReads(env: Env, onRead: (variable: string) => void): Env {
  return new Proxy(env, {
    get: (variables, name: string) => {
      onRead(name);
      return variables[name];
    },
  });
}

/** Shorter environment names are too often similar to a setting by chance. */
const MIN_LENGTH = 8;
const MAX_DISTANCE = 2;
const MAX_NAMED = 20;
const MAX_NAME_LENGTH = 60;
/** Variables of Node.js, the OpenTelemetry SDK and the system, which may also be set in `.env`. */
const RUNTIME_VARIABLE =
  /^(?:NODE_|OTEL_|UV_|SSL_CERT_|npm_|TZ$|LANG$|LC_|PATH$|HOME$|https?_proxy$|no_proxy$)/i;

/** A sentence for each unknown name in `.env`, and for each variable that resembles a setting. */
export function misspeltSettings(
  env: Env,
  inFile: readonly string[],
  settings: ReadonlySet<string>,
): readonly string[] {
  const names = new Set([...inFile, ...Object.keys(env).filter((name) => name.length >= MIN_LENGTH)]);
  const sentences: string[] = [];
  for (const name of names) {
    if (settings.has(name) || RUNTIME_VARIABLE.test(name)) continue;
    const nearest = nearestTo(name, settings);
    const isInFile = inFile.includes(name);
    if (nearest === undefined && !isInFile) continue;
    const where = isInFile ? ' in .env' : '';
    const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    sentences.push(`The setting ${printable(name)}${where} does not exist and has no effect.${advice}`);
  }
  return sentences.slice(0, MAX_NAMED);
}

function nearestTo(name: string, settings: ReadonlySet<string>): string | undefined {
  let nearest: string | undefined;
  let least = MAX_DISTANCE + 1;
  for (const setting of settings) {
    const letters = distance(name.toUpperCase(), setting);
    if (letters < least) [nearest, least] = [setting, letters];
  }
  return nearest;
}

function printable(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_NAME_LENGTH);
}
