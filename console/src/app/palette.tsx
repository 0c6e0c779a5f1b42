import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Modal } from '../parts/modal';
import { GoTo } from './go-to';
import type { Page } from './record-queries';
import { useHasEnded } from './session';

/** Controls that take typed letters, or use them to select. */
const FIELDS = 'textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])';

/** Overlays of any page: the page search or the keyboard shortcuts. */
export type Over = 'go' | 'help';

interface PaletteProps {
  readonly pages: readonly Page[];
  readonly open: Over | null;
  readonly onOpen: (what: Over | null) => void;
}

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));

/** Focuses the search field of the page; returns false if the page has none. */
function search(): boolean {
  const field = document.querySelector<HTMLElement>('main input[type=search]');
  field?.focus();
  return field !== null;
}

/** Global shortcuts: `Ctrl+K` goes anywhere, `/` searches the page, `?` lists the shortcuts. */
export function Palette({ pages, open, onOpen }: PaletteProps): ReactNode {
  const hasEnded = useHasEnded();
  useEffect(() => {
    if (hasEnded) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) onOpen('go');
      else if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (event.key === '?') onOpen('help');
      else if (event.key !== '/' || !search()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [hasEnded, onOpen]);
  const close = (): void => onOpen(null);
  return (
    <>
      <Modal title="Go to" isOpen={open === 'go'} onClose={close} isLight>
        <GoTo pages={pages} onGone={close} />
      </Modal>
      <Modal title="Keys" isOpen={open === 'help'} onClose={close} isLight>
        <dl className="facts">
          <dt>
            <kbd>Ctrl</kbd>+<kbd>K</kbd>
          </dt>
          <dd>Go to a page, webhook, channel, or another record</dd>
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Search on this page</dd>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>These keys</dd>
        </dl>
      </Modal>
    </>
  );
}

/** The open overlay; it closes on navigation and when the session ends. */
export function useOver(): readonly [open: Over | null, onOpen: (what: Over | null) => void] {
  const [open, setOpen] = useState<Over | null>(null);
  const hasEnded = useHasEnded();
  const place = useLocation({ select: ({ href }) => href });
  const [seen, setSeen] = useState(place);
  if (place !== seen) setSeen(place);
  if (open && (hasEnded || place !== seen)) setOpen(null);
  return [open, setOpen];
}
