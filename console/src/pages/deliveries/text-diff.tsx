import { Text } from '@mantine/core';
import { diffLines } from 'diff';
import type { ReactNode } from 'react';

interface TextDiffProps {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** Line-by-line diff of two texts. */
export function TextDiff({ label, from, to }: TextDiffProps): ReactNode {
  if (from === to) return <Text className="muted">{from === '' ? 'None.' : 'No differences.'}</Text>;
  return (
    <pre className="diff" tabIndex={0} aria-label={`Differences: ${label}`}>
      {diffLines(ended(from), ended(to)).map(({ value, added, removed }, index) => {
        const [Part, sign] = added
          ? (['ins', '+'] as const)
          : removed
            ? (['del', '-'] as const)
            : (['span', ' '] as const);
        return (
          <Part key={index} style={{ padding: 0 }}>
            {marked(sign, value)}
          </Part>
        );
      })}
    </pre>
  );
}

/** A missing final newline does not count as a difference. */
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Do not rely on colors alone. */
const marked = (sign: string, text: string): string => text.replace(/^(?=.|\n)/gm, `${sign} `);
