import { useState } from 'react';
import { ApiError } from '../../api/client';
import { type InviteField, type Refusal, refusalOf } from './refusals';

interface Refused {
  /** What is wrong with a field; undefined: nothing. */
  readonly of: (field: InviteField) => string | undefined;
  /** Does the work of a form, and keeps what was refused of a field; throws what is about the whole. */
  readonly watch: (work: () => Promise<void>) => () => Promise<void>;
}

/** Explains beside the fields of a form what the server refuses. */
export function useRefusal(): Refused {
  const [refusal, setRefusal] = useState<Refusal | undefined>();
  return {
    of: (field) => (refusal?.field === field ? refusal.text : undefined),
    watch: (work) => async () => {
      setRefusal(undefined);
      try {
        await work();
      } catch (error) {
        const found = refusalOf(error);
        setRefusal(found);
        if (!found) throw error;
        if (found.field === undefined) throw inPlainWords(error as ApiError, found.text);
      }
    },
  };
}

/** The server's words, too: they name what it could not do. */
function inPlainWords({ message, status, id, requestId }: ApiError, text: string): ApiError {
  return new ApiError(`${text} (${message})`, status, id, requestId);
}
