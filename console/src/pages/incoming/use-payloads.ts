import { useDraft } from '../../parts/drafts';

interface Payloads {
  /** The last selected sample; empty if none. */
  readonly chosen: string;
  /** Edited samples. */
  readonly changed: Readonly<Record<string, string>>;
}

const NONE: Payloads = { chosen: '', changed: {} };

interface KeptPayloads extends Payloads {
  readonly choose: (sample: string) => void;
  /** Pass undefined to restore the sample. */
  readonly change: (sample: string, text: string | undefined) => void;
}

/** Payloads edited for a webhook, or from one of its calls; kept when the user leaves and returns. */
export function usePayloads(key: string): KeptPayloads {
  const [draft, setDraft] = useDraft(`payloads.${key}`);
  const kept = draft === '' ? NONE : (JSON.parse(draft) as Payloads);
  const keep = (now: Payloads): void => setDraft(JSON.stringify(now));
  return {
    ...kept,
    choose: (chosen) => keep({ ...kept, chosen }),
    change: (sample, text) => {
      const { [sample]: _, ...others } = kept.changed;
      keep({ ...kept, changed: text === undefined ? others : { ...others, [sample]: text } });
    },
  };
}
