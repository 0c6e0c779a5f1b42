import type { Response } from 'express';
import type { HttpRequest } from './http-request.js';

/** Handles a request to a route, and everything that goes wrong there. */
export type RouteHandler = (
  request: HttpRequest,
  response: Response,
  next: (error?: unknown) => void,
) => unknown;

/** What is read of a layer of Express's router. */
export interface RouterLayer {
  readonly handle: unknown;
  readonly match: (path: string) => unknown;
  readonly route?: {
    readonly path: unknown;
    readonly methods: Readonly<Record<string, boolean>>;
    readonly stack: readonly { readonly handle: RouteHandler }[];
  };
}

/** A route and the values of its parameters. */
export interface FoundRoute {
  readonly route: { readonly path: string };
  readonly handle: RouteHandler;
  readonly params: Record<string, string>;
}

interface Entry {
  readonly place: number;
  readonly route: { readonly path: string };
  readonly handle: RouteHandler;
  /** The parameters and which segments they are. */
  readonly parameters: readonly (readonly [name: string, segment: number])[];
}

/** The routes that go on from a part of a path, by the next segment. */
class Branch {
  readonly literals = new Map<string, Branch>();
  any: Branch | undefined;
  entry: Entry | undefined;
}

/** Without inherited properties, as Express has it; read faster than what Object.create makes. */
const Params = function () {} as unknown as new () => Record<string, string>;
Params.prototype = Object.create(null) as Record<string, string>;

const SIMPLE_ROUTE = /^(?:\/(?:[\w.-]+|:\w+))+$/;
/** Without escapes, and without characters that end a path. */
const PLAIN_PATH = /^[\w./~!$&'()*+,;=:@-]+$/;

/**
 * Finds the route of a request by the segments of its path. Express tries one route after the other, which takes longer
 * than many a handler. A path that Express might read in another way is not found here: with escapes, with empty
 * segments, or where something else is mounted.
 */
export class RouteIndex {
  private readonly methods = new Map<string, Branch>();
  /** Layers that are no simple routes, with their places. */
  private readonly others: { readonly place: number; readonly layer: RouterLayer }[] = [];

  /**
   * `middleware`: the layers that every request passes, which are not looked at. Nor is what stands before them: a hook of
   * Nest that nobody sets.
   */
  constructor(
    stack: readonly RouterLayer[],
    middleware: readonly unknown[],
    private readonly prepare: (handler: RouteHandler) => RouteHandler = (handler) => handler,
  ) {
    const start = stack.findIndex((layer) => middleware.includes(layer.handle));
    stack.forEach((layer, place) => {
      if (place < start || middleware.includes(layer.handle)) return;
      if (!this.add(layer, place)) this.others.push({ place, layer });
    });
  }

  /** The first route in the order of the router; undefined if Express must decide. */
  find(method: string, path: string): FoundRoute | undefined {
    const branch = this.methods.get(method);
    if (!branch || !PLAIN_PATH.test(path)) return undefined;
    const segments = path.split('/');
    const found = entryAt(branch, segments, 1);
    if (!found || this.isForExpress(path, found.place)) return undefined;
    const params = new Params();
    for (const [name, segment] of found.parameters) params[name] = segments[segment] ?? '';
    return { route: found.route, handle: found.handle, params };
  }

  private isForExpress(path: string, before: number): boolean {
    for (const { place, layer } of this.others) {
      if (place > before) return false;
      if (layer.match(path) !== false) return true;
    }
    return false;
  }

  private add({ route }: RouterLayer, place: number): boolean {
    const [only, ...more] = route?.stack ?? [];
    const [method, ...methods] = Object.keys(route?.methods ?? {});
    if (!route || !only || more.length > 0 || method === undefined || methods.length > 0) return false;
    const { path } = route;
    if (typeof path !== 'string' || !SIMPLE_ROUTE.test(path)) return false;
    const parameters: [name: string, segment: number][] = [];
    let branch = branchOf(this.methods, method.toUpperCase());
    path.split('/').forEach((segment, n) => {
      if (n === 0) return;
      if (segment.startsWith(':')) {
        parameters.push([segment.slice(1), n]);
        branch = branch.any ??= new Branch();
      } else branch = branchOf(branch.literals, segment.toLowerCase());
    });
    branch.entry ??= { place, route: { path }, handle: this.prepare(only.handle), parameters };
    return true;
  }
}

/** Of the routes that match from this segment on, the one that was added first. */
function entryAt(branch: Branch, segments: readonly string[], n: number): Entry | undefined {
  const segment = segments[n];
  if (segment === undefined) return branch.entry;
  if (segment === '') return undefined;
  const literal = branch.literals.get(segment) ?? branch.literals.get(segment.toLowerCase());
  const byLiteral = literal && entryAt(literal, segments, n + 1);
  const byAny = branch.any && entryAt(branch.any, segments, n + 1);
  return byLiteral && byAny ? (byAny.place < byLiteral.place ? byAny : byLiteral) : (byLiteral ?? byAny);
}

function branchOf(branches: Map<string, Branch>, name: string): Branch {
  let branch = branches.get(name);
  if (!branch) branches.set(name, (branch = new Branch()));
  return branch;
}
