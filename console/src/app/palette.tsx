import { type ReactNode, useEffect, useState } from 'react';
import { Modal } from '../parts/modal';
import { GoTo } from './go-to';
import type { Page } from './record-queries';
import { useHasEnded } from './session';

interface PaletteProps {
  readonly pages: readonly Page[];
}

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Keys for the whole console: `Ctrl+K` goes anywhere, `/` searches on the page, `?` tells the keys. */
export function Palette({ pages }: PaletteProps): ReactNode {
  const [open, setOpen] = useState<'go' | 'help' | null>(null);
  const hasEnded = useHasEnded();
  if (hasEnded && open) setOpen(null); // nobody goes anywhere before they have signed in again
  useEffect(() => {
    if (hasEnded) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) setOpen('go');
      else if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (event.key === '?') setOpen('help');
      else if (event.key === '/') document.querySelector<HTMLElement>('input[type=search]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [hasEnded]);
  const close = (): void => setOpen(null);
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
