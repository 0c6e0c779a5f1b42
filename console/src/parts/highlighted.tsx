import {
  CodeHighlightAdapterProvider,
  createHighlightJsAdapter,
  InlineCodeHighlight,
} from '@mantine/code-highlight';
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { ReactNode } from 'react';
import type { Language } from './code';

const LANGUAGES = { bash, json, xml, yaml } as const;
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);
const adapter = createHighlightJsAdapter(highlighter);

interface HighlightedProps {
  readonly code: string;
  readonly language: Language;
}

/** Highlighted code; a module of its own, loaded when first needed. */
export default function Highlighted({ code, language }: HighlightedProps): ReactNode {
  return (
    <CodeHighlightAdapterProvider adapter={adapter}>
      <InlineCodeHighlight unstyled withFirstLineIndentation code={code} language={language} />
    </CodeHighlightAdapterProvider>
  );
}
