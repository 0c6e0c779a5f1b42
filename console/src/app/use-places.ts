import { useQuery } from '@tanstack/react-query';
import { useSettled } from '../parts/use-settled';
import {
  channelPlaces,
  connectionPlaces,
  deliveryPlaces,
  incomingPlaces,
  isId,
  outgoingPlaces,
  personPlaces,
  type Place,
} from './record-queries';
import { isAdmin, useUser } from './session';

const MIN_LENGTH = 2;

/** Results of one kind. */
export interface PlaceGroup {
  readonly title: string;
  readonly places: readonly Place[];
}

interface FoundPlaces {
  readonly groups: readonly PlaceGroup[];
  readonly isSearching: boolean;
  /** Kinds whose search failed. */
  readonly failed: readonly string[];
}

/** Finds records by part of their names, and a delivery by its id. Each kind loads or fails on its own. */
export function useRecords(typed: string): FoundPlaces {
  const text = typed.trim().toLowerCase();
  const settled = useSettled(text);
  const isOfAdmin = isAdmin(useUser());
  const isWanted = text.length >= MIN_LENGTH;
  const enabled = isWanted && text === settled; // do not show results for other text
  const isForAdmin = enabled && isOfAdmin;
  const kinds = {
    'Incoming webhooks': useQuery({ ...incomingPlaces(isOfAdmin, settled), enabled }),
    'Outgoing webhooks': useQuery({ ...outgoingPlaces(isOfAdmin, settled), enabled }),
    Channels: useQuery({ ...channelPlaces(isOfAdmin, settled), enabled }),
    'Secure connections': useQuery({ ...connectionPlaces(settled), enabled: isForAdmin }),
    People: useQuery({ ...personPlaces(settled), enabled: isForAdmin }),
    Deliveries: useQuery({ ...deliveryPlaces(settled), enabled: isForAdmin && isId(settled) }),
  };
  const all = Object.entries(kinds);
  return {
    groups: enabled ? all.map(([title, { data = [] }]) => ({ title, places: data })) : [],
    isSearching: isWanted && (!enabled || all.some(([, { isLoading }]) => isLoading)),
    failed: enabled ? all.flatMap(([title, { isError }]) => (isError ? [title.toLowerCase()] : [])) : [],
  };
}
