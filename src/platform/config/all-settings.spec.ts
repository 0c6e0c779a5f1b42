import { misspeltSettings } from './all-settings.js';

const SETTINGS = new Set(['ALLOWED_INTERNAL_HOSTS', 'SITE_URL', 'PORT', 'LOG_LEVEL', 'LOG_FORMAT']);
const find = (env: Record<string, string>, inFile: string[] = []): readonly string[] =>
  misspeltSettings(env, inFile, SETTINGS);

describe('misspelt settings', () => {
  it('are reported with the nearest real name', () => {
    expect(find({ ALOWED_INTERNAL_HOSTS: '10.0.0.1' })).toEqual([
      'The setting ALOWED_INTERNAL_HOSTS does not exist and has no effect. Did you mean ALLOWED_INTERNAL_HOSTS?',
    ]);
    expect(find({ LOGLEVEL: 'warn' })).toEqual([expect.stringContaining('Did you mean LOG_LEVEL?')]);
    expect(find({ log_format: 'text' })).toEqual([expect.stringContaining('Did you mean LOG_FORMAT?')]);
  });

  it('are all reported if they come from the file, even if they resemble no setting', () => {
    expect(find({ PROT: '80', COLOUR: 'red' }, ['PROT', 'COLOUR'])).toEqual([
      'The setting PROT in .env does not exist and has no effect. Did you mean PORT?',
      'The setting COLOUR in .env does not exist and has no effect.',
    ]);
  });

  it('do not include other variables of the environment or the runtime', () => {
    expect(find({ PROT: 'x', HOSTNAME: 'x', LANGUAGE: 'x', SITE_URL: 'x', LOG_LEVEL_FILE: 'x' })).toEqual([]);
    expect(find({}, ['NODE_ENV', 'NODE_OPTIONS', 'TZ', 'NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY'])).toEqual([]);
  });

  it('are shown without terminal control characters, and truncated', () => {
    const [sentence] = find({}, [`\u001b[31m${'X'.repeat(500)}`]);
    expect(sentence).toMatch(/^The setting \?\[31mX+ in \.env does not exist and has no effect\.$/);
    expect(sentence!.length).toBeLessThan(200);
  });
});
