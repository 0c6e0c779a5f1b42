/// <reference lib="es2024.string" />

import {
  CaptureTag,
  type Context,
  defaultOperators,
  type Emitter,
  evalToken,
  type FilterImplOptions,
  ForTag,
  Liquid,
  type Operators,
  TablerowTag,
  type Template,
  type Token,
  TypeGuards,
} from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { literalText, NO_MARKUP } from '../../messaging/posts/content/literal-text.js';

export const MAX_TEMPLATE_BYTES = 16 * 1024;
/** In UTF-16 units. */
const MAX_OUTPUT_LENGTH = 256 * 1024;
const MAX_RENDER_MS = 50;
/** After a render that took too long, the first pause is this many times as long, and each further one is doubled. */
const PAUSE_FACTOR = 10;
const MAX_PAUSE_MS = 60_000;
/** In units of Liquid: about characters and list items, of which each takes 8 bytes. */
const MAX_MEMORY = 1024 * 1024;
/** Liquid makes a list of a range before a loop begins. */
const MAX_RANGE_LENGTH = 10_000;
/** In characters, of all that a value of a filter contains. */
const MAX_VALUE_LENGTH = 1024 * 1024;
const MAX_COMPILED = 200;
const MAX_PAUSED = 1_000;
const MAX_REASON_LENGTH = 200;
const GAP = '\u200b';

/** A template cannot be compiled or rendered. The message says why, and in which line. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** What a template can use. */
export interface TemplateScope {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

interface Pause {
  readonly until: number;
  readonly lengthMs: number;
}

const pauses = new LRUCache<string, Pause>({ max: MAX_PAUSED });
const compiled = new LRUCache<string, Template[]>({ max: MAX_COMPILED });

/** Compiles a template (docs/contract/incoming-webhooks.md#templates). Throws TemplateError. */
export function compileTemplate(source: string): Template[] {
  const known = compiled.get(source);
  if (known) return known;
  const template = withTemplateErrors(() => liquid.parse(source));
  compiled.set(source, template);
  return template;
}

/**
 * Renders a template, unless the last render with the same pause key took too long. The output may contain the markers
 * of literalText. Throws TemplateError.
 */
export function renderTemplate(source: string, scope: TemplateScope, pauseKey: string): string {
  const template = compileTemplate(source);
  const output = unlessPaused(pauseKey, () =>
    withTemplateErrors(() => String(liquid.renderSync(template, { ...scope }))),
  );
  if (output.length > MAX_OUTPUT_LENGTH)
    throw new TemplateError(`the output has more than ${MAX_OUTPUT_LENGTH} characters`);
  return output.replaceAll(NO_MARKUP, '').toWellFormed().trim();
}

/** Rendering blocks the process, so calls that exceed the limits must not follow each other closely. */
function unlessPaused(key: string, render: () => string): string {
  const startedAt = performance.now();
  const last = pauses.get(key);
  if (last && startedAt < last.until)
    throw new TemplateError('the template is paused, because a call took too long; try again in a minute');
  try {
    const output = render();
    pauses.delete(key);
    return output;
  } catch (error) {
    const endedAt = performance.now();
    if (endedAt - startedAt >= MAX_RENDER_MS) {
      const lengthMs = Math.min(
        MAX_PAUSE_MS,
        last ? 2 * last.lengthMs : PAUSE_FACTOR * (endedAt - startedAt),
      );
      pauses.set(key, { until: endedAt + lengthMs, lengthMs });
    }
    throw error;
  }
}

/** Counts captured text, which Liquid itself does not, so that it cannot double without end. */
class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    context.memoryLimit.use(String(context.getSync([this.variable])).length);
  }
}

/** Checks the length of a range before Liquid makes a list of it. */
class BoundedFor extends ForTag {
  override *render(context: Context, emitter: Emitter): ReturnType<ForTag['render']> {
    yield requireShortRange(this.collection, context);
    return yield* super.render(context, emitter);
  }
}

class BoundedTablerow extends TablerowTag {
  override *render(context: Context, emitter: Emitter): ReturnType<TablerowTag['render']> {
    yield requireShortRange(this.collection, context);
    return yield* super.render(context, emitter);
  }
}

function* requireShortRange(token: Token, context: Context): Generator<unknown, void, unknown> {
  if (!TypeGuards.isRangeToken(token)) return;
  const first = Number(yield evalToken(token.lhs, context));
  const last = Number(yield evalToken(token.rhs, context));
  if (last - first >= MAX_RANGE_LENGTH)
    throw new Error(`the limit of ${MAX_RANGE_LENGTH} items in a range is exceeded`);
}

/** The operators, which check the time: Liquid does so only between tags, and a condition can be long. */
const operators: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operator]) => [
    name,
    (...args: unknown[]): boolean => {
      checkTime(args.at(-1) as Context);
      return Reflect.apply(operator, undefined, args) as boolean;
    },
  ]),
);

function checkTime(context: Context): void {
  context.renderLimit.check(performance.now());
}

const liquid = new Liquid({
  operators,
  ownPropertyOnly: true,
  strictFilters: true,
  templates: {}, // instead of files
  parseLimit: MAX_TEMPLATE_BYTES,
  renderLimit: MAX_RENDER_MS,
  memoryLimit: MAX_MEMORY,
  timezoneOffset: 0,
});
for (const name of ['include', 'render', 'layout', 'block'])
  liquid.registerTag(name, {
    parse: () => {
      throw new Error(`the tag ${name} is not available`);
    },
    render: () => '',
  });
// The time limit is not checked within a filter, and these can nest loops in one.
for (const name of ['where', 'reject', 'group_by', 'has', 'find_index', 'find'])
  Reflect.deleteProperty(liquid.filters, `${name}_exp`);
liquid.registerTag('capture', BoundedCapture);
liquid.registerTag('for', BoundedFor);
liquid.registerTag('tablerow', BoundedTablerow);
liquid.registerFilter('literal', function (value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  this.context.memoryLimit.use(2 * text.length);
  // The marker of a literal `<` could not be told from a NUL character in the output.
  return literalText(text.replaceAll(NO_MARKUP, '')).replaceAll(`${NO_MARKUP}<`, `<${GAP}`);
});

for (const [name, filter] of Object.entries(liquid.filters)) liquid.registerFilter(name, bounded(filter));

/**
 * Checks the time before a filter, and bounds what its value contains. Liquid counts the items of a list, but not what
 * is in them: a list of lists that contain the same list again would take forever to write.
 */
function bounded(filter: FilterImplOptions): FilterImplOptions {
  const { handler, raw } = typeof filter === 'function' ? { handler: filter, raw: false } : filter;
  return {
    raw,
    handler: function* (...args): Generator<unknown, unknown, unknown> {
      checkTime(this.context);
      const value: unknown = yield handler.apply(this, args);
      if (weightOf(value) > MAX_VALUE_LENGTH) throw new Error('the limit of a value is exceeded');
      return value;
    },
  };
}

/** The weights of lists and objects, which never change. Only their own items are counted again. */
const weights = new WeakMap<object, number>();

/** About the number of characters that a value is written with. */
function weightOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value.length : 1;
  const known = weights.get(value);
  if (known !== undefined) return known;
  let weight = 1;
  for (const item of Object.values(value)) weight += weightOf(item);
  weights.set(value, weight);
  return weight;
}

/** Whatever Liquid throws, even when the stack overflows, is due to the template and its data. */
function withTemplateErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new TemplateError(reason.slice(0, MAX_REASON_LENGTH));
  }
}
