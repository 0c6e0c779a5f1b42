import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Modal } from '../parts/modal';

interface PaletteProps {
  readonly pages: readonly { readonly to: string; readonly title: string }[];
}

const isTyping = ({ target }: Event): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Keys for the whole console: `Ctrl+K` goes anywhere, `/` searches on the page, `?` tells the keys. */
export function Palette({ pages }: PaletteProps): ReactNode {
  const [open, setOpen] = useState<'go' | 'help' | null>(null);
  const [text, setText] = useState('');
  const navigate = useNavigate();
  useEffect(() => {
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
  }, []);
  const close = (): void => {
    setOpen(null);
    setText('');
  };
  const found = pages.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
  const go = (to: string | undefined): void => {
    if (to === undefined) return;
    close();
    void navigate({ to });
  };
  return (
    <>
      <Modal title="Go to" isOpen={open === 'go'} onClose={close} isLight>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            go(found[0]?.to);
          }}
        >
          <input aria-label="Page" value={text} onChange={({ target }) => setText(target.value)} autoFocus />
        </form>
        <ul className="choices">
          {found.map(({ to, title }) => (
            <li key={to}>
              <button className="plain" onClick={() => go(to)}>
                {title}
              </button>
            </li>
          ))}
        </ul>
      </Modal>
      <Modal title="Keys" isOpen={open === 'help'} onClose={close} isLight>
        <dl className="facts">
          <dt>
            <kbd>Ctrl</kbd>+<kbd>K</kbd>
          </dt>
          <dd>Go to a page</dd>
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
