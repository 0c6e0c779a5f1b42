import { createContext } from 'react';

interface DialogAround {
  /** Reports whether closing would discard unsaved input. */
  readonly reportUnsaved: (isUnsaved: boolean) => void;
  /** Reports a running request: the dialog stays open until its result can be shown. */
  readonly reportSending: (isSending: boolean) => void;
  /** Closes the dialog, asking first if needed; undefined if the form needs no cancel button. */
  readonly dismiss: (() => void) | undefined;
}

/** The dialog around a form. */
export const DialogContext = createContext<DialogAround>({
  reportUnsaved: () => undefined,
  reportSending: () => undefined,
  dismiss: undefined,
});
