import {
  ActionIcon,
  Badge,
  Button,
  createTheme,
  type CSSVariablesResolver,
  Drawer,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
  Paper,
  PasswordInput,
  Popover,
  SegmentedControl,
  Table,
  Tabs,
  Tooltip,
} from '@mantine/core';

type Palette = MantineColorsTuple;

const IRIS: Palette = [
  ...(['#f5f3ff', '#ebe7fe', '#d8d1fb', '#bcb0f6', '#a394ef'] as const),
  ...(['#8a77e6', '#7660dc', '#5f48c9', '#4e3aab', '#3c2d85'] as const),
];
const GRAY: Palette = [
  ...(['#f8f8fa', '#f1f1f4', '#e6e6eb', '#d6d7de', '#bfc1cb'] as const),
  ...(['#8f929f', '#636674', '#4a4d59', '#30323b', '#1c1d23'] as const),
];
const DARK: Palette = [
  ...(['#e8e8ed', '#c3c4cc', '#9c9eaa', '#777a87', '#3a3c45'] as const),
  ...(['#2d2f37', '#212329', '#17181c', '#111216', '#0c0d10'] as const),
];
const GREEN: Palette = [
  ...(['#e9f9f0', '#d3f2e0', '#a8e5c4', '#77d5a3', '#4cc386'] as const),
  ...(['#2faf6f', '#1f985c', '#157f4b', '#10673d', '#0b4f2e'] as const),
];
const RED: Palette = [
  ...(['#fff0f0', '#ffe1e1', '#fdc4c4', '#f99d9d', '#f27878'] as const),
  ...(['#e85858', '#dc4040', '#c52f34', '#a3242b', '#7d1a20'] as const),
];
const YELLOW: Palette = [
  ...(['#fff8e6', '#feefc9', '#fbdf95', '#f5cb5c', '#ecb52f'] as const),
  ...(['#dc9f14', '#b87f08', '#916206', '#754e07', '#5a3b06'] as const),
];
const BLUE: Palette = [
  ...(['#ecf5ff', '#d9eafe', '#b5d5fc', '#89bbf8', '#60a2f2'] as const),
  ...(['#3e89e8', '#2a72d4', '#1f5db5', '#194b92', '#123869'] as const),
];

const CLOSABLE = { closeButtonProps: { 'aria-label': 'Close' } };

/** The look of the console: one accent, calm neutrals, and a colour for each outcome of a delivery. */
export const theme = createTheme({
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 7 },
  colors: {
    ...{ iris: IRIS, gray: GRAY, dark: DARK, green: GREEN, red: RED, yellow: YELLOW, blue: BLUE },
    ...{ delivered: GREEN, failed: RED, pending: BLUE, paused: YELLOW, cancelled: GRAY },
  },
  defaultRadius: 'md',
  radius: { sm: '4px', md: '6px', lg: '10px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  shadows: {
    sm: '0 1px 2px rgb(20 20 30 / 6%), 0 2px 6px rgb(20 20 30 / 5%)',
    md: '0 4px 16px rgb(20 20 30 / 12%)',
    xl: '0 12px 40px rgb(20 20 30 / 20%)',
  },
  components: {
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'gray', size: 'md' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 500 } }),
    Button: Button.extend({ defaultProps: { size: 'xs', fz: 'sm', fw: 500 } }),
    Drawer: Drawer.extend({ defaultProps: { ...CLOSABLE, position: 'right', size: 'xl', padding: 'lg' } }),
    Menu: Menu.extend({ defaultProps: { shadow: 'md', radius: 'md' } }),
    Modal: Modal.extend({
      defaultProps: { ...CLOSABLE, centered: true, radius: 'lg', padding: 'lg', shadow: 'xl' },
    }),
    PasswordInput: PasswordInput.extend({
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show or hide' } },
    }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
    }),
    Paper: Paper.extend({ defaultProps: { radius: 'lg' } }),
    Popover: Popover.extend({ defaultProps: { shadow: 'md', radius: 'md' } }),
    // Its transition would not respect reduced motion.
    SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'sm', transitionDuration: 0 } }),
    Table: Table.extend({
      defaultProps: { verticalSpacing: 8, horizontalSpacing: 'sm', fz: 'sm', highlightOnHover: true },
    }),
    Tabs: Tabs.extend({ defaultProps: { keepMounted: false } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, fz: 'xs' } }),
    ...Object.fromEntries(
      ['Input', 'InputWrapper', 'Select', 'TextInput', 'Switch', 'Checkbox', 'Radio'].map((name) => [
        name,
        { defaultProps: { size: 'sm' } },
      ]),
    ),
  },
});

/** Text colours with enough contrast in both themes. */
export const variables: CSSVariablesResolver = () => ({
  variables: { '--hl-radius': 'var(--mantine-radius-lg)' },
  light: {
    '--mantine-color-text': GRAY[9],
    '--mantine-color-dimmed': GRAY[6],
    '--mantine-color-placeholder': GRAY[6],
    '--mantine-color-default-border': GRAY[2],
    '--mantine-color-error': RED[7],
    '--hl-sidebar': GRAY[0],
    '--hl-field-border': GRAY[5],
  },
  dark: {
    '--mantine-color-text': DARK[0],
    '--mantine-color-dimmed': DARK[2],
    '--mantine-color-placeholder': DARK[2],
    '--mantine-color-default-border': DARK[5],
    '--mantine-color-anchor': IRIS[3],
    '--mantine-color-error': RED[3],
    '--hl-sidebar': DARK[8],
    '--hl-field-border': DARK[3],
  },
});
