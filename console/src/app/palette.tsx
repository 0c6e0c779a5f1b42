import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Modal } from '../parts/modal';
import { GoTo } from './go-to';
import type { Page } from './record-queries';
import { useHasEnded } from './session';

/** What takes letters, or chooses by them. */
const FIELDS = 'textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])';

/** What may stand over any page: the way to another, or the keys. */
export type Over = 'go' | 'help';

interface PaletteProps {
  readonly pages: readonly Page[];
  readonly open: Over | null;
  readonly onOpen: (what: Over | null) => void;
}

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(FIELDS));

/** Puts the focus into the field by which a page is searched; false if it has none. */
function search(): boolean {
  const field = document.querySelector<HTMLElement>('main input[type=search]');
  field?.focus();
  return field !== null;
}

/** Keys for the whole console: `Ctrl+K` goes anywhere, `/` searches on the page, `?` tells the keys. */
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

/** What stands over the page, until one goes to another, or has to sign in again first. */
export function useOver(): readonly [open: Over | null, onOpen: (what: Over | null) => void] {
  const [open, setOpen] = useState<Over | null>(null);
  const hasEnded = useHasEnded();
  const place = useLocation({ select: ({ href }) => href });
  const [seen, setSeen] = useState(place);
  if (place !== seen) setSeen(place);
  if (open && (hasEnded || place !== seen)) setOpen(null);
  return [open, setOpen];
}
