import {
  IconBan,
  IconClock,
  IconKeyOff,
  IconMailForward,
  IconPlayerPauseFilled,
  IconPlugConnectedX,
  IconRefresh,
  IconSend,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Tone } from './badge';

/** How a state is shown. */
export interface Status {
  readonly tone: Tone;
  readonly text: string;
  /** Set where the icon of the tone says too little. */
  readonly icon?: TablerIcon;
}

/** All states of the console's records. */
export const STATUS_OF = {
  delivery: {
    pending: { tone: 'quiet', text: 'Waiting', icon: IconClock },
    in_flight: { tone: 'quiet', text: 'Sending', icon: IconSend },
    retrying: { tone: 'warning', text: 'Retrying', icon: IconRefresh },
    delivered: { tone: 'good', text: 'Delivered' },
    failed: { tone: 'bad', text: 'Failed' },
    cancelled: { tone: 'quiet', text: 'Cancelled', icon: IconBan },
  },
  webhook: {
    active: { tone: 'good', text: 'Active' },
    failing: { tone: 'warning', text: 'Failing' },
    refusing: { tone: 'warning', text: 'Refuses calls' },
    expired: { tone: 'warning', text: 'Expired', icon: IconClock },
    url_disabled: { tone: 'warning', text: 'URL disabled' },
    paused: { tone: 'warning', text: 'Paused', icon: IconPlayerPauseFilled },
    unreadable: { tone: 'bad', text: 'Secret unreadable', icon: IconKeyOff },
    disabled: { tone: 'bad', text: 'Disabled', icon: IconBan },
  },
  endpoint: {
    ok: { tone: 'good', text: 'Active' },
    failing: { tone: 'warning', text: 'Failing' },
    disabled: { tone: 'bad', text: 'Disabled', icon: IconBan },
  },
  connection: {
    invited: { tone: 'quiet', text: 'Waiting for the other server', icon: IconMailForward },
    expired: { tone: 'warning', text: 'Invite expired' },
    online: { tone: 'good', text: 'Online' },
    offline: { tone: 'bad', text: 'Offline', icon: IconPlugConnectedX },
    deleted: { tone: 'quiet', text: 'Ended', icon: IconBan },
  },
} as const satisfies Record<string, Record<string, Status>>;
