const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad|iOS/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac OS'],
  [/Linux|X11/, 'Linux'],
];
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Electron\/(\d+)/, 'Desktop App'],
  [/Chrome\/(\d+)/, 'Chrome'],
  [/Version\/(\d+).*Safari\//, 'Safari'],
];
const MAX_LENGTH = 256;

/** Describes a client by its User-Agent, coarsely, for the session record (docs/contract/messaging.md#sessions). */
export function clientProps(userAgent: string, isMobile: boolean): Record<string, string> {
  const agent = userAgent.slice(0, MAX_LENGTH);
  const os = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1] ?? '';
  const browser = BROWSERS.map(([pattern, name]) => ({ name, version: pattern.exec(agent)?.[1] })).find(
    ({ version }) => version,
  );
  return {
    platform: os,
    os,
    browser: browser ? `${browser.name}/${browser.version}` : (/^[\w.-]{1,64}/.exec(agent)?.[0] ?? ''),
    isMobile: String(isMobile),
    isSaml: 'false',
    isOAuthUser: 'false',
  };
}
