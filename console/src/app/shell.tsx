import { AppShell } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Outlet, useLocation, useMatches } from '@tanstack/react-router';
import { type KeyboardEvent, type MouseEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import { Faults } from '../parts/faults';
import { Loading } from '../parts/loading';
import { Header } from './header';
import { openPalette, Palette } from './palette';
import { Sidebar } from './sidebar';

const HEADER_HEIGHT = 52;
const WIDTH = 232;
const NARROW_WIDTH = 60;

/** Layout around every page. On phones, the sidebar is behind a button. */
export function Shell(): ReactNode {
  const [areKeysShown, showKeys] = useState(false);
  const [isNarrow, setNarrow] = useLocalStorage({
    ...{ key: 'hookline.sidebar', defaultValue: false, getInitialValueInEffect: false },
  });
  const menu = useMenu();
  const place = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  return (
    <AppShell
      layout="alt"
      padding={{ base: 'md', sm: 'xl' }}
      header={{ height: HEADER_HEIGHT }}
      navbar={{
        width: isNarrow ? NARROW_WIDTH : WIDTH,
        breakpoint: 'sm',
        collapsed: { mobile: !menu.isOpen },
      }}
    >
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to content
      </a>
      <AppShell.Navbar
        id="pages"
        aria-label="Pages"
        mod={{ narrow: isNarrow, open: menu.isOpen }}
        onKeyDown={menu.press}
        onClick={menu.click}
      >
        <Sidebar
          isNarrow={isNarrow && !menu.isOpen}
          onResize={() => setNarrow(!isNarrow)}
          onKeys={() => showKeys(true)}
        />
      </AppShell.Navbar>
      <AppShell.Header>
        <Header
          isMenuOpen={menu.isOpen}
          menuButton={menu.button}
          onMenu={menu.toggle}
          onSearch={openPalette}
        />
      </AppShell.Header>
      <AppShell.Main id="main" tabIndex={-1}>
        <div className="content">
          <Faults key={place}>
            <Suspense fallback={<Loading />}>
              <Outlet />
            </Suspense>
          </Faults>
        </div>
      </AppShell.Main>
      <Palette areKeysShown={areKeysShown} onKeys={showKeys} />
    </AppShell>
  );
}

/** The sidebar of phones: any navigation and Escape close it. */
function useMenu() {
  const place = useLocation({ select: ({ pathname }) => pathname });
  const [openAt, setOpenAt] = useState<string | null>(null);
  if (openAt !== null && openAt !== place) setOpenAt(null);
  const isOpen = openAt === place;
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpenAt(null);
    button.current?.focus();
  };
  const press = ({ key, target, currentTarget }: KeyboardEvent<Element>): void => {
    if (isOpen && key === 'Escape' && currentTarget.contains(target as Node)) close(); // not in a menu of it
  };
  const click = ({ target }: MouseEvent): void => {
    if (isOpen && target instanceof Element && target.closest('a')) close();
  };
  return { isOpen, button, press, click, toggle: () => setOpenAt(isOpen ? null : place) };
}

function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
