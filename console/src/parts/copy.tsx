import { ActionIcon, Button, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';

interface CopyProps {
  readonly text: string;
  readonly label: string;
  /** Shown on the button; without it, the button is an icon. */
  readonly caption?: string;
}

type Outcome = 'Copied' | 'Could not copy' | '';

const ICONS = { Copied: IconCheck, 'Could not copy': IconAlertTriangle, '': IconCopy } as const;
const SHOWN_MS = 1_500;

/** A button that copies a text and shows whether it succeeded. */
export function Copy({ text, label, caption }: CopyProps): ReactNode {
  const [outcome, setOutcome] = useState<Outcome>('');
  useEffect(() => {
    if (outcome === '') return undefined;
    const timer = setTimeout(() => setOutcome(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (button: HTMLElement): Promise<void> => {
    try {
      await write(text, button);
      setOutcome('Copied');
    } catch {
      setOutcome('Could not copy');
    }
  };
  const Icon = ICONS[outcome];
  const common = {
    'aria-label': label,
    onClick: ({ currentTarget }: { readonly currentTarget: HTMLElement }) => void copy(currentTarget),
  };
  return caption === undefined ? (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" {...common}>
        <Icon size={16} aria-hidden />
        <VisuallyHidden aria-live="polite">{outcome}</VisuallyHidden>
      </ActionIcon>
    </Tooltip>
  ) : (
    <Button variant="default" size="xs" leftSection={<Icon size={14} aria-hidden />} {...common}>
      <span aria-live="polite">{outcome || caption}</span>
    </Button>
  );
}

/** Browsers allow clipboard access only in secure contexts, which the library's hook relies on. */
async function write(text: string, button: HTMLElement): Promise<void> {
  if (!window.isSecureContext) return copyByHand(text, button);
  await navigator.clipboard.writeText(text).catch(() => copyByHand(text, button));
}

/** Copies via a field next to the button, because dialogs trap the focus. Throws if copying fails. */
function copyByHand(text: string, button: HTMLElement): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed'; // prevents the page from scrolling to it
  button.after(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  button.focus();
  if (!isCopied) throw new Error('The browser could not copy it.');
}
