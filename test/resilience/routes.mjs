/** Which routes there are, and how often each is tried. */

/** These end sessions or accounts: mostly those of the victim, or nobody else would get anywhere. */
const ENDING =
  /\/logout$|\/sessions\/revoke|\/active$|^DELETE \/api\/v4\/users\/\{\w+\}$|^PUT .*\/users\/\{\w+\}(\/roles|\/password|\/patch)?$|tokens\/(revoke|disable)/;

/** How often a route is tried, by the first pattern that fits. */
const weights = [
  [/^POST \/api\/v4\/users\/sessions\/revoke\/all$/, 0.01], // signs everybody out
  [/^POST \/api\/v4\/users$|\/login$|\/password$/, 0.08], // hash a password each
  [/^POST \/hooks\//, 6],
  [/\/hooks\/|\/posts/, 2.5], // the heart of the server
  [/./, 1],
];

/** What the description does not list. */
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

/** Every route of the application: those of its description, and those that it does not list. */
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
