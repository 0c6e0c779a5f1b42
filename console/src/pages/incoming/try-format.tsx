import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { answerOf, api } from '../../api/client';
import { queries } from '../../app/services';
import { Form } from '../../parts/form';
import { FormatFields } from './format-fields';
import { FORMATS } from './formats';
import type { IncomingHook } from './incoming-queries';
import type { useReading } from './use-reading';

interface TryFormatProps {
  readonly hook: IncomingHook;
  readonly reading: ReturnType<typeof useReading>;
}

/** The format and template of the preview, which can be saved once they are right. */
export function TryFormat({ hook, reading }: TryFormatProps): ReactNode {
  const { format, template, isChanged, change, reset } = reading;
  const [isOpen] = useState(format !== 'mattermost');
  const save = async (): Promise<void> => {
    await answerOf(
      api.PATCH('/api/v4/hooks/incoming/{hook_id}', {
        params: { path: { hook_id: hook.id } },
        body: { format, ...(format === 'template' && { template }) },
      }),
    );
    await queries.invalidateQueries({ queryKey: ['incoming', hook.id] });
    reset();
  };
  return (
    <details className="more-fields" open={isOpen}>
      <summary>
        Format: {FORMATS[format].title}
        {isChanged && ', not saved'}
      </summary>
      <FormatFields format={format} template={template} onChange={change} />
      {isChanged && (
        <Form
          action="Save the format"
          isPart
          isKept
          onSubmit={save}
          extra={
            <Button variant="default" size="xs" onClick={reset}>
              Back to the saved one
            </Button>
          }
        />
      )}
    </details>
  );
}
