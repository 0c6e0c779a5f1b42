import { useDraft } from '../../parts/drafts';
import type { Reading } from './format-fields';
import type { IncomingHook } from './incoming-queries';

interface TriedReading extends Reading {
  readonly isChanged: boolean;
  readonly change: (changed: Partial<Reading>) => void;
  readonly reset: () => void;
}

/** The format and template to try, at first those of the webhook; kept when the user leaves and returns. */
export function useReading({ id, format, template }: IncomingHook): TriedReading {
  const [draft, setDraft] = useDraft(`reading.${id}`);
  const tried = draft === '' ? { format, template } : (JSON.parse(draft) as Reading);
  return {
    ...tried,
    isChanged: tried.format !== format || (format === 'template' && tried.template !== template),
    change: (changed) => setDraft(JSON.stringify({ ...tried, ...changed })),
    reset: () => setDraft(''),
  };
}
