import { createContext } from 'react';

interface DialogAround {
  /** Whether something was typed that would be lost. */
  readonly tellUnsaved: (isUnsaved: boolean) => void;
  /** Whether a request is under way: the dialog stays until what came of it can be shown. */
  readonly tellSending: (isSending: boolean) => void;
  /** Closes it, if need be after asking; undefined where a form has no use for a button of its own for that. */
  readonly dismiss: (() => void) | undefined;
}

/** The dialog around a form. */
export const DialogContext = createContext<DialogAround>({
  tellUnsaved: () => undefined,
  tellSending: () => undefined,
  dismiss: undefined,
});
