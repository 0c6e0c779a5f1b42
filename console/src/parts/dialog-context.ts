import { createContext } from 'react';

interface DialogAround {
  /** Whether something was typed that would be lost. */
  readonly tellUnsaved: (isUnsaved: boolean) => void;
  /** Closes it, if need be after asking; undefined where a form has no use for a button of its own for that. */
  readonly dismiss: (() => void) | undefined;
}

/** The dialog around a form. */
export const DialogContext = createContext<DialogAround>({
  tellUnsaved: () => undefined,
  dismiss: undefined,
});
