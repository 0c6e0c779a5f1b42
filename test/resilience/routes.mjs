/** The routes to test and how often to call each. */

/** Routes that end sessions or accounts. They are mostly called on the victim, so that the others stay usable. */
const ENDING =
  /\/logout$|\/sessions\/revoke|\/active$|^DELETE \/api\/v4\/users\/\{\w+\}$|^PUT .*\/users\/\{\w+\}(\/roles|\/password|\/patch)?$|tokens\/(revoke|disable)/;

/** The weight of a route, by the first pattern that matches. */
const weights = [
  [/^POST \/api\/v4\/users\/sessions\/revoke\/all$/, 0.01], // signs everybody out
  [/^POST \/api\/v4\/users$|\/login$|\/password$/, 0.08], // each hashes a password
  [/^POST \/hooks\//, 6],
  [/\/hooks\/|\/posts/, 2.5], // the most important routes
  [/./, 1],
];

/** Routes that the OpenAPI document does not list. */
const unlisted = [
  ['POST', '/hooks/{id}', 6],
  ['GET', '/hooks/{hook_id}', 0.3],
  ['GET', '/', 0.2],
  ['GET', '/health/live', 0.3],
  ['GET', '/health/ready', 0.3],
  ['GET', '/metrics', 0.3],
  ['GET', '/api/docs', 0.08],
  ['GET', '/api/v4/openapi.json', 0.08],
  ['GET', '/api/v4/websocket', 0.5],
  ['GET', '/api/v4/nothing/{id}/here', 0.5],
  ['POST', '/nothing', 0.2],
  ['GET', '/hooks', 0.2],
  ['POST', '/hooks/{hook_id}/more', 0.2],
];

/** All routes of the application, listed in the OpenAPI document or not. */
export function listRoutes(document) {
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const label = `${method.toUpperCase()} ${path}`;
      const weight = weights.find(([pattern]) => pattern.test(label))[1];
      return { method: method.toUpperCase(), path, operation, weight, isEnding: ENDING.test(label) };
    }),
  );
  const isListed = (method, path) =>
    routes.some(
      (route) =>
        route.method === method && route.path.replace(/\{\w+\}/g, '{}') === path.replace(/\{\w+\}/g, '{}'),
    );
  for (const [method, path, weight] of unlisted) {
    if (!isListed(method, path)) routes.push({ method, path, operation: {}, weight, isEnding: false });
  }
  return routes;
}
