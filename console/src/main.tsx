import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { loadFirst } from './app/load-first';
import { nonce } from './app/nonce';
import { router } from './app/router';
import { queries } from './app/services';
import { Session } from './app/session';
import { Faults } from './parts/faults';
import { theme, variables } from './theme/theme';
import './theme/index.css';

const place = document.getElementById('app');
if (!place) throw new Error('The page has no root element.');
await loadFirst(); // rendered without it, the page would show a fallback for a while
createRoot(place).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" limit={4} />
      <QueryClientProvider client={queries}>
        <Faults>
          <Suspense fallback={<p className="loading">Loading…</p>}>
            <Session>
              <RouterProvider router={router} />
            </Session>
          </Suspense>
        </Faults>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
