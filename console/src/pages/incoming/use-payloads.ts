import { useDraft } from '../../parts/drafts';

interface Payloads {
  /** The sample that was chosen last; empty: none yet. */
  readonly chosen: string;
  /** What has become of samples that were changed. */
  readonly changed: Readonly<Record<string, string>>;
}

const NONE: Payloads = { chosen: '', changed: {} };

interface KeptPayloads extends Payloads {
  readonly choose: (sample: string) => void;
  /** Undefined: the sample as it was. */
  readonly change: (sample: string, text: string | undefined) => void;
}

/** The payloads that one edits for a webhook, or from a call of it, kept when one looks at others and comes back. */
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
