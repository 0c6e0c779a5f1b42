/**
 * `npm run lint:openapi`: the OpenAPI document by the recommended rules of Redocly and of Spectral. Warnings fail it
 * like errors, except for those that are accepted below.
 *
 * Another document: node scripts/openapi-lint.mjs FILE
 */
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { apiDocument } from './api-document.mjs';
import { exitBecauseOf, Failure } from './prepare.mjs';

/** Accepted problems, by rule and place. */
const accepted = [
  // The paths are those of the Mattermost API; the server matches the one without parameters first.
  /^no-ambiguous-paths /,
  // It switches protocols, and never returns 200.
  /^operation-(2xx|success)-response #\/paths\/\/api\/v4\/websocket\/get\//,
  // They have no invalid input.
  /^operation-4xx-response #\/paths\/(\/health\/(live|ready)|\/api\/v4\/(config\/client|plugins\/webapp))\/get\//,
];
/** The server puts its own address here. */
const servers = [{ url: 'https://hookline.internal' }];

const file = process.argv[2];
try {
  const document = file ? JSON.parse(readFileSync(file, 'utf8')) : { ...apiDocument(), servers };
  const found = [...(await byRedocly(document)), ...(await bySpectral(document))];
  const problems = found.filter((problem) => !isAboutMissingFeature(problem, document));
  const faults = problems.filter((problem) => !accepted.some((pattern) => pattern.test(problem)));
  const unused = file ? [] : accepted.filter((pattern) => !problems.some((one) => pattern.test(one)));
  const lines = [
    ...new Set(faults),
    ...unused.map((pattern) => `${pattern} is accepted, but does not occur.`),
  ];
  if (lines.length > 0) throw new Failure(`The OpenAPI document has problems:\n${lines.join('\n')}`);
  console.log('The OpenAPI document follows the recommended rules of Redocly and Spectral.');
} catch (error) {
  exitBecauseOf(error);
}

/** Operations that only return 501 have no success response. */
function isAboutMissingFeature(problem, { paths }) {
  const [, path, method] =
    /^operation-(?:2xx|success)-response #\/paths\/(\/.*)\/(\w+)\/responses/.exec(problem) ?? [];
  return path !== undefined && '501' in paths[path][method].responses;
}

async function byRedocly(document) {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return found.map(({ ruleId, message, location }) => {
    const place = (location[0]?.pointer ?? '').replaceAll('~1', '/');
    return `${ruleId} ${place} ${message.replaceAll('\n', ' ')}`;
  });
}

async function bySpectral(document) {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']] });
  const found = await spectral.run(document);
  return found.map(({ code, message, path }) => `${code} #/${path.join('/')} ${message}`);
}
