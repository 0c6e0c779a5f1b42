import { Select, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { Field } from '../../parts/field';
import { WebLink } from '../../parts/web-link';
import { FORMATS, type Format } from './formats';

/** How calls are read. */
export interface Reading {
  readonly format: Format;
  readonly template: string;
}

interface FormatFieldsProps extends Reading {
  readonly onChange: (changed: Partial<Reading>) => void;
}

/** The format of a webhook, with its template. */
export function FormatFields({ format, template, onChange }: FormatFieldsProps): ReactNode {
  return (
    <>
      <Field name="format" label="Format" hint={FORMATS[format].hint}>
        <Select
          searchable
          allowDeselect={false}
          data={Object.entries(FORMATS).map(([value, { title }]) => ({ value, label: title }))}
          value={format}
          onChange={(chosen) => chosen !== null && onChange({ format: chosen as Format })}
        />
      </Field>
      {format === 'template' && (
        <Field
          name="template"
          label="Template"
          hint={
            <>
              A <WebLink to="https://liquidjs.com">Liquid</WebLink> template over <code>body</code>,{' '}
              <code>headers</code> and <code>query</code>.
            </>
          }
        >
          <Textarea
            classNames={{ input: 'payload' }}
            rows={8}
            spellCheck={false}
            required
            placeholder={'{{ body.job }} is {{ body.status }}'}
            value={template}
            onChange={({ target }) => onChange({ template: target.value })}
          />
        </Field>
      )}
    </>
  );
}
