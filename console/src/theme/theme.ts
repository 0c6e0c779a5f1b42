import { createTheme } from '@mantine/core';

/** The look of the console. */
export const theme = createTheme({
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  defaultRadius: 'md',
});
