/** Counts for each route the requests that succeeded and those that were refused as documented. */

/** Routes that refuse nothing: they are public and read nothing of the request. */
const refusingNobody = new Set([
  'GET /metrics',
  'GET /health/live',
  'GET /health/ready',
  'GET /api/v4/config/client',
  'GET /api/v4/plugins/webapp',
]);

/** Whether the documentation has a response that is not an error. */
export function canSucceed({ responses }) {
  return Object.keys(responses).some((status) => Number(status) < 400);
}

export class Coverage {
  #routes = new Map();

  constructor(routes) {
    for (const { label, operation, isDescribed } of routes)
      this.#routes.set(label, { route: label, operation, isDescribed, succeeded: 0, refused: 0 });
  }

  /** Counts a response. Only requests that reached their route are meaningful. */
  count({ route, isRouted }, status) {
    if (!isRouted) return;
    const row = this.#routes.get(route);
    if (status < 400) row.succeeded++;
    else if (status < 500 && (!row.isDescribed || status in row.operation.responses)) row.refused++;
  }

  get size() {
    return this.#routes.size;
  }

  /** A line for each documented route: its successes and its refusals. */
  get table() {
    return [
      'succeeded  refused  route',
      ...this.#described.map(
        ({ route, succeeded, refused }) =>
          `${String(succeeded).padStart(9)}  ${String(refused).padStart(7)}  ${route}`,
      ),
    ];
  }

  /** Documented routes without a successful or a refused request. */
  get gaps() {
    return this.#described.flatMap(({ route, operation, succeeded, refused }) => [
      ...(succeeded === 0 && canSucceed(operation) ? [`${route} has never succeeded`] : []),
      ...(refused === 0 && !refusingNobody.has(route) ? [`${route} has never refused`] : []),
    ]);
  }

  get #described() {
    return [...this.#routes.values()].filter(({ isDescribed }) => isDescribed);
  }
}
