import type { ReactNode } from 'react';
import { Markdown } from './markdown';

/** Fields of an attachment: short ones side by side, others stacked. */
export function AttachmentFields({ fields }: { readonly fields: readonly unknown[] }): ReactNode {
  if (fields.length === 0) return null;
  return (
    <dl>
      {fields.map((field, index) => {
        const { title, value, short } = (field ?? {}) as Readonly<Record<string, unknown>>;
        return (
          <div key={index} className={short === true ? undefined : 'whole'}>
            <dt>{textOf(title)}</dt>
            <dd>
              <Markdown text={textOf(value)} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}
