import { type Express, type RequestHandler, Router } from 'express';

const RESOURCE = /^\/api\/v4\/([\w-]+)/i;

/**
 * One Express router for each resource of the API, such as `/api/v4/hooks`. Express compares a request with the routes
 * of a router one by one, so most of the 250 routes are passed over at once.
 */
export class ResourceRouters {
  private readonly routers = new Map<string, Router>();

  /** The router for a route; undefined if its path starts otherwise. The first call registers the routers with `app`. */
  routerFor(path: unknown, app: Express): Router | undefined {
    const resource = typeof path === 'string' ? resourceOf(path) : undefined;
    if (resource === undefined) return undefined;
    if (this.routers.size === 0) app.use(this.serve);
    const router = this.routers.get(resource) ?? Router();
    this.routers.set(resource, router);
    return router;
  }

  private readonly serve: RequestHandler = (request, response, next) => {
    // A nested router would answer OPTIONS itself.
    const router = request.method === 'OPTIONS' ? undefined : this.routers.get(resourceOf(request.url) ?? '');
    if (router) router(request, response, next);
    else next();
  };
}

/** Express ignores the case of paths. */
function resourceOf(path: string): string | undefined {
  return RESOURCE.exec(path)?.[1]?.toLowerCase();
}
