/// <reference lib="es2024.string" />

import { CaptureTag, type Context, Liquid, type Template } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import { literalText, NO_MARKUP } from '../../messaging/posts/content/literal-text.js';

export const MAX_TEMPLATE_BYTES = 16 * 1024;
/** In UTF-16 units. */
const MAX_OUTPUT_LENGTH = 256 * 1024;
const MAX_RENDER_MS = 100;
/** In units of Liquid: about characters and list items. */
const MAX_MEMORY = 4 * 1024 * 1024;
const MAX_COMPILED = 200;
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

const compiled = new LRUCache<string, Template[]>({ max: MAX_COMPILED });

/** Compiles a template (docs/contract/incoming-webhooks.md#templates). Throws TemplateError. */
export function compileTemplate(source: string): Template[] {
  const known = compiled.get(source);
  if (known) return known;
  const template = withTemplateErrors(() => liquid.parse(source));
  compiled.set(source, template);
  return template;
}

/** Renders a template. The output may contain the markers of literalText. Throws TemplateError. */
export function renderTemplate(source: string, scope: TemplateScope): string {
  const template = compileTemplate(source);
  const output = withTemplateErrors(() => String(liquid.renderSync(template, { ...scope })));
  if (output.length > MAX_OUTPUT_LENGTH)
    throw new TemplateError(`the output has more than ${MAX_OUTPUT_LENGTH} characters`);
  return output.replaceAll(NO_MARKUP, '').toWellFormed().trim();
}

/** Counts captured text, which Liquid itself does not, so that it cannot double without end. */
class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    context.memoryLimit.use(String(context.getSync([this.variable])).length);
  }
}

const liquid = new Liquid({
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
liquid.registerFilter('literal', function (value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  this.context.memoryLimit.use(2 * text.length);
  // The marker of a literal `<` could not be told from a NUL character in the output.
  return literalText(text.replaceAll(NO_MARKUP, '')).replaceAll(`${NO_MARKUP}<`, `<${GAP}`);
});

/** Whatever Liquid throws, even when the stack overflows, is due to the template and its data. */
function withTemplateErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new TemplateError(reason.slice(0, MAX_REASON_LENGTH));
  }
}
