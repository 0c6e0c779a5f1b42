import { Input, Paper } from '@mantine/core';
import { type CSSProperties, lazy, type ReactNode, Suspense, useId } from 'react';

/** Loaded on demand, because it includes the highlighter. */
const Highlighted = lazy(() => import('../../parts/highlighted'));

/** Longer texts are not highlighted, which would delay each key. */
const MAX_HIGHLIGHTED = 20_000;

/** Both layers wrap their text in the same way. */
const LAYER: CSSProperties = {
  ...{ gridArea: '1 / 1', minWidth: 0, margin: 0, padding: '8px 10px', border: 0, background: 'none' },
  ...{ font: '12.5px/1.6 var(--mantine-font-family-monospace)', whiteSpace: 'pre-wrap' },
  ...{ overflowWrap: 'anywhere', overflow: 'hidden', maxHeight: 'none' },
};
const TYPED: CSSProperties = { ...LAYER, color: 'transparent', caretColor: 'var(--mantine-color-text)' };

interface EditorProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Number of a faulty line, which is marked. */
  readonly faultyLine?: number | undefined;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Given by the field around it. */
  readonly label?: ReactNode;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
}

/** A text field for code, which grows with it: highlighted JSON, or text with its faulty line marked. */
export function Editor({
  value,
  onChange,
  faultyLine,
  placeholder,
  required,
  ...field
}: EditorProps): ReactNode {
  const id = useId();
  const text = `${value}\n`; // a last empty line has a height too
  const lines = text.split('\n');
  const isHighlighted = faultyLine === undefined && /^\s*[[{]/.test(value) && value.length < MAX_HIGHLIGHTED;
  const marked = faultyLine === undefined ? '' : lines[faultyLine - 1] || ' ';
  const described = [field.error && `${id}-error`, field.description && `${id}-description`];
  return (
    <Input.Wrapper id={id} {...field}>
      <Paper withBorder radius="md" mt={5} mah="60vh" display="grid" style={{ overflow: 'auto' }}>
        <pre aria-hidden className="code" style={LAYER}>
          {isHighlighted ? (
            <Suspense fallback={text}>
              <Highlighted code={text} language="json" />
            </Suspense>
          ) : faultyLine === undefined ? (
            text
          ) : (
            <>
              {lines.slice(0, faultyLine - 1).map((line) => `${line}\n`)}
              <mark style={{ color: 'inherit', background: 'var(--mantine-color-red-light)' }}>{marked}</mark>
              {lines.slice(faultyLine).map((line) => `\n${line}`)}
            </>
          )}
        </pre>
        <textarea
          id={id}
          rows={4}
          spellCheck={false}
          style={{ ...TYPED, resize: 'none', zIndex: 1 }}
          aria-invalid={faultyLine !== undefined || Boolean(field.error)}
          aria-describedby={described.filter(Boolean).join(' ') || undefined}
          onChange={({ target }) => onChange(target.value)}
          {...{ value, placeholder, required }}
        />
      </Paper>
    </Input.Wrapper>
  );
}
