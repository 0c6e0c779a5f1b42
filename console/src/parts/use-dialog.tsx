import { Button, Group, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { DialogContext } from './dialog-context';
import { useEscape } from './use-escape';

interface DialogOptions {
  readonly isOpen: boolean;
  /** If undefined, the dialog cannot be dismissed. */
  readonly onClose: (() => void) | undefined;
  /** Read-only dialog: also closes on outside clicks, and its forms have no cancel button. */
  readonly isLight?: boolean;
  readonly children: ReactNode;
}

/**
 * Props for a Mantine dialog. Escape and navigation close it, after a confirmation if a form has unsaved input.
 * It stays open while a form submits, unless `isLight`.
 */
export function useDialog({ isOpen, onClose, isLight = false, children }: DialogOptions) {
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const isUnsaved = useRef(false);
  const isBusy = isSending && !isLight;
  useEffect(() => (isOpen ? keepFocus : undefined), [isOpen]);
  const dismiss = (): void => {
    if (isBusy) return;
    if (isUnsaved.current && onClose) setAsking(true);
    else onClose?.();
  };
  useEscape(isOpen, dismiss);
  const latest = useRef(dismiss);
  useEffect(() => {
    latest.current = dismiss;
  });
  const hasCancel = !isLight && onClose !== undefined;
  const around = useMemo(
    () => ({
      reportUnsaved: (is: boolean) => {
        isUnsaved.current = is;
      },
      reportSending: setSending,
      dismiss: hasCancel ? () => latest.current() : undefined,
    }),
    [hasCancel],
  );
  const hasUnsaved = useCallback(() => isUnsaved.current, []);
  const discard = (): void => {
    isUnsaved.current = false;
    setAsking(false);
    onClose?.();
  };
  return {
    opened: isOpen,
    onClose: dismiss,
    closeOnEscape: false,
    closeOnClickOutside: isLight,
    withCloseButton: onClose !== undefined,
    closeButtonProps: { 'aria-label': 'Close', disabled: isBusy },
    transitionProps: { duration: 120, exitDuration: 0 },
    children: (
      <DialogContext value={around}>
        {children}
        {onClose && isOpen && <LeaveQuestion hasUnsaved={hasUnsaved} onDiscard={discard} />}
        <DiscardQuestion isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={discard} />
      </DialogContext>
    ),
  };
}

interface DiscardQuestionProps {
  readonly isOpen: boolean;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

function DiscardQuestion({ isOpen, onKeep, onDiscard }: DiscardQuestionProps): ReactNode {
  useEscape(isOpen, onKeep);
  return (
    <Modal
      title="Discard your changes?"
      opened={isOpen}
      onClose={onKeep}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120, exitDuration: 0 }}
      size="sm"
      centered
    >
      <Group justify="flex-end">
        <Button data-autofocus variant="default" onClick={onKeep}>
          Keep editing
        </Button>
        <Button color="red" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Modal>
  );
}

interface LeaveQuestionProps {
  readonly hasUnsaved: () => boolean;
  readonly onDiscard: () => void;
}

/** Confirms before navigation, by the palette or the browser, discards the dialog. */
function LeaveQuestion({ hasUnsaved, onDiscard }: LeaveQuestionProps): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: hasUnsaved,
    enableBeforeUnload: false,
    withResolver: true,
  });
  const leave = (): void => {
    onDiscard();
    proceed?.();
  };
  return <DiscardQuestion isOpen={status === 'blocked'} onKeep={() => reset?.()} onDiscard={leave} />;
}

/** Around forms on a page: confirms before navigation discards their unsaved input. */
export function KeepInput({ children }: { readonly children: ReactNode }): ReactNode {
  const isUnsaved = useRef(false);
  const reportUnsaved = useCallback((is: boolean) => void (isUnsaved.current = is), []);
  const around = useMemo(
    () => ({ reportUnsaved, reportSending: () => undefined, dismiss: undefined }),
    [reportUnsaved],
  );
  const hasUnsaved = useCallback(() => isUnsaved.current, []);
  return (
    <DialogContext value={around}>
      {children}
      <LeaveQuestion hasUnsaved={hasUnsaved} onDiscard={() => reportUnsaved(false)} />
    </DialogContext>
  );
}

/** Mantine returns the focus to what opened the dialog, after 10 ms. If that no longer exists, the page gets it. */
function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  }, 50);
}
