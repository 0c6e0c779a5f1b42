import { Box } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Copy } from './copy';

/** Loaded on demand, because it includes the highlighter. */
const Highlighted = lazy(() => import('./highlighted'));

/** Longer texts are not highlighted, which would block the page. */
const MAX_HIGHLIGHTED = 60_000;

export type Language = 'json' | 'xml' | 'bash' | 'yaml';

interface CodeProps {
  readonly text: string;
  readonly label: string;
  /** Part of the text that is masked on screen but included in the copy. */
  readonly secret?: string;
  /** Guessed from the beginning of the text if not set. */
  readonly language?: Language | undefined;
}

/** Code or a payload, highlighted up to a size, with a copy button. */
export function Code({ text, label, secret = '', language = languageOf(text) }: CodeProps): ReactNode {
  const shown = secret === '' ? text : text.replaceAll(secret, '••••••••••••');
  const plain = <code>{shown}</code>;
  return (
    <Box className="code" pos="relative">
      <pre tabIndex={0} aria-label={label}>
        {language === undefined || shown.length > MAX_HIGHLIGHTED ? (
          plain
        ) : (
          <Suspense fallback={plain}>
            <Highlighted code={shown} language={language} />
          </Suspense>
        )}
      </pre>
      <Box pos="absolute" top={6} right={6}>
        <Copy text={text} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}

/** The language of a text that is clearly JSON, XML or a command. */
function languageOf(text: string): Language | undefined {
  const start = text.slice(0, 100).trimStart();
  if (/^[[{]/.test(start)) return 'json';
  if (/^<[?!a-z]/i.test(start)) return 'xml';
  return /^(?:curl|wget) /.test(start) ? 'bash' : undefined;
}
