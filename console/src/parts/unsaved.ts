import { createContext } from 'react';

/** Tells the dialog around a form whether something was typed in it that would be lost. */
export const UnsavedContext = createContext<(isUnsaved: boolean) => void>(() => undefined);
