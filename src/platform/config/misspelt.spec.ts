import { misspeltSettings } from './all-settings.js';

const SETTINGS = new Set(['ALLOWED_INTERNAL_HOSTS', 'SITE_URL', 'PORT', 'LOG_LEVEL', 'LOG_FORMAT']);
const find = (env: Record<string, string>, inFile: string[] = []): readonly string[] =>
  misspeltSettings(env, inFile, SETTINGS);

describe('misspelt settings', () => {
  it('are named with the nearest real one', () => {
    expect(find({ ALOWED_INTERNAL_HOSTS: '10.0.0.1' })).toEqual([
      'There is no setting ALOWED_INTERNAL_HOSTS: it has no effect. Did you mean ALLOWED_INTERNAL_HOSTS?',
    ]);
    expect(find({ LOGLEVEL: 'warn' })).toEqual([expect.stringContaining('Did you mean LOG_LEVEL?')]);
    expect(find({ SITES_URL: 'x' })).toEqual([expect.stringContaining('Did you mean SITE_URL?')]);
  });

  it('are found in other letters', () => {
    expect(find({ log_format: 'text' })).toEqual([expect.stringContaining('Did you mean LOG_FORMAT?')]);
  });

  it('are all named that stand in the file, near to one or not', () => {
    expect(find({ PROT: '80', COLOUR: 'red' }, ['PROT', 'COLOUR'])).toEqual([
      'There is no setting PROT in .env: it has no effect. Did you mean PORT?',
      'There is no setting COLOUR in .env: it has no effect.',
    ]);
  });

  it('are not what else is in the environment', () => {
    const env = {
      PROT: 'x',
      HOSTNAME: 'x',
      LANGUAGE: 'x',
      SITE_URL: 'x',
      COLORTERM: 'x',
      LOG_LEVEL_FILE: 'x',
    };
    expect(find(env)).toEqual([]);
  });

  it('are not what the runtime reads', () => {
    expect(find({}, ['NODE_ENV', 'NODE_OPTIONS', 'TZ', 'NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY'])).toEqual([]);
  });

  it('are named without what a terminal would act on, and shortened', () => {
    const [sentence] = find({}, [`\u001b[31m${'X'.repeat(500)}`]);
    expect(sentence).toMatch(/^There is no setting \?\[31mX+ in \.env: it has no effect\.$/);
    expect(sentence!.length).toBeLessThan(200);
  });
});
