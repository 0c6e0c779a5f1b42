import { Text } from '@mantine/core';
import { diffLines } from 'diff';
import { Fragment, type ReactNode } from 'react';

interface TextDiffProps {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** Line-by-line diff of two texts. */
export function TextDiff({ label, from, to }: TextDiffProps): ReactNode {
  if (from === to)
    return (
      <Text size="sm" c="dimmed">
        {from === '' ? 'None.' : 'No differences.'}
      </Text>
    );
  return (
    <pre className="diff" tabIndex={0} aria-label={`Differences: ${label}`}>
      {diffLines(ended(from), ended(to)).map(({ value, added, removed }, index) => {
        if (added)
          return (
            <ins key={index} style={FLUSH}>
              {marked('+', value)}
            </ins>
          );
        if (removed)
          return (
            <del key={index} style={FLUSH}>
              {marked('-', value)}
            </del>
          );
        return <Fragment key={index}>{marked(' ', value)}</Fragment>;
      })}
    </pre>
  );
}

/** So that signs are in one column. */
const FLUSH = { padding: 0 } as const;

/** A missing final newline does not count as a difference. */
const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

/** Do not rely on colors alone. */
const marked = (sign: string, text: string): string => text.replace(/^(?=.|\n)/gm, `${sign} `);
