import { isJsonObject, type JsonObject } from '../../platform/common/json.js';
import { type Formatted, harmlessMarkdown, isWebUrl, link, Markdown, md, report } from './layout.js';
import { objectsAt, textAt, unexpected, valueAt } from './sent.js';

const MAX_PARTS = 50;
const MAX_DEPTH = 10;
const MAX_LENGTH = 10_000;

/**
 * Formats a MessageCard, or Adaptive Cards alone or as attachments of a message
 * (docs/contract/incoming-webhooks.md#formats). Their Markdown is kept, without mentions. Throws PayloadError.
 */
export function teams(body: JsonObject): Formatted {
  const parts =
    textAt(body, '@type').toLowerCase() === 'messagecard' || 'sections' in body || 'summary' in body
      ? messageCard(body)
      : adaptiveCards(body);
  const text = new Markdown(joined(parts));
  if (text.source === '') return { ignored: 'the card has no text' };
  const themeColor = textAt(body, 'themeColor').replace(/^#?/, '#');
  const pictures = objectsAt(body, 'sections', MAX_PARTS).flatMap((part) => objectsAt(part, 'images', 1));
  return report({
    text,
    ...(/^#[0-9a-f]{6}$/i.test(themeColor) && { color: themeColor }),
    picture: textAt(pictures[0], 'image'),
  });
}

/** Joins parts as paragraphs, as long as they fit. */
function joined(parts: readonly string[]): string {
  let text = '';
  for (const part of parts) {
    if (part === '') continue;
    if (text.length + part.length > MAX_LENGTH) return `${text}\n\n…`;
    text += text === '' ? part : `\n\n${part}`;
  }
  return text;
}

function messageCard(card: JsonObject): string[] {
  const texts = [
    heading(textAt(card, 'title')),
    markdownOf(textAt(card, 'text')),
    ...objectsAt(card, 'sections', MAX_PARTS).flatMap(section),
  ];
  // Teams shows the summary in notifications, not in the card.
  const isEmpty = texts.every((text) => text === '');
  return [...(isEmpty ? [heading(textAt(card, 'summary'))] : texts), ...actionsOf(card)];
}

function section(part: JsonObject): string[] {
  return [
    heading(textAt(part, 'title')),
    ...['activityTitle', 'activitySubtitle', 'activityText', 'text'].map((name) =>
      markdownOf(textAt(part, name)),
    ),
    factsOf(objectsAt(part, 'facts', MAX_PARTS), 'name'),
    ...actionsOf(part),
  ];
}

function actionsOf(part: JsonObject): string[] {
  return objectsAt(part, 'potentialAction', MAX_PARTS).map((action) =>
    linkOf(textAt(action, 'name'), textAt(objectsAt(action, 'targets', 1)[0], 'uri')),
  );
}

function adaptiveCards(body: JsonObject): string[] {
  const cards =
    body['type'] === 'AdaptiveCard'
      ? [body]
      : objectsAt(body, 'attachments', MAX_PARTS)
          .map((attachment) => valueAt(attachment, 'content'))
          .filter(isJsonObject)
          .filter((content) => content['type'] === 'AdaptiveCard');
  const text = textAt(body, 'text');
  if (cards.length === 0 && text === '')
    throw unexpected('there is neither a MessageCard nor an Adaptive Card in the body');
  return [markdownOf(text), ...cards.flatMap((card) => elements(card, 0))];
}

/** The texts of an element and of everything in it. */
function elements(element: JsonObject, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  const own = elementText(element);
  const inner = ['body', 'items', 'columns', 'rows', 'cells', 'actions', 'inlineAction'].flatMap((name) =>
    objectsAt(element, name, MAX_PARTS).flatMap((part) => elements(part, depth + 1)),
  );
  return [own, ...inner];
}

function elementText(element: JsonObject): string {
  switch (element['type']) {
    case 'TextBlock':
      return isHeading(element) ? heading(textAt(element, 'text')) : markdownOf(textAt(element, 'text'));
    case 'RichTextBlock':
      return md`${objectsAt(element, 'inlines', MAX_PARTS)
        .map((run) => textAt(run, 'text'))
        .join('')}`.source;
    case 'FactSet':
      return factsOf(objectsAt(element, 'facts', MAX_PARTS), 'title');
    case 'CodeBlock':
      return markdownOf(textAt(element, 'codeSnippet'));
    case 'Action.OpenUrl':
      return linkOf(textAt(element, 'title'), textAt(element, 'url'));
    case 'Image':
      return isWebUrl(element['url']) ? linkOf(textAt(element, 'altText') || 'image', element['url']) : '';
    default:
      return '';
  }
}

function isHeading(block: JsonObject): boolean {
  return textAt(block, 'style') === 'heading' || textAt(block, 'weight').toLowerCase() === 'bolder';
}

function factsOf(facts: readonly JsonObject[], name: string): string {
  return facts
    .map(
      (fact) =>
        md`**${textAt(fact, name)}** ${harmlessMarkdown(textAt(fact, 'value').replace(/\s+/g, ' '), 500)}`
          .source,
    )
    .join('\n');
}

function heading(text: string): string {
  const shown = md`${text}`.source;
  return shown === '' ? '' : `**${shown}**`;
}

function linkOf(name: string, url: string): string {
  return isWebUrl(url) ? link(name || url, url).source : '';
}

/** Teams reads a little HTML in Markdown, and names in `<at>`. */
function markdownOf(text: string): string {
  const plain = text
    .slice(0, 2 * MAX_LENGTH)
    .replace(/<br ?\/?>/gi, '\n')
    .replace(/<\/?at>/gi, '');
  return harmlessMarkdown(plain, MAX_LENGTH / 2).source;
}
