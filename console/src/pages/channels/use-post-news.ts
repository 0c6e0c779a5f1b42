import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LiveEvent } from '../../api/live';
import { live } from '../../app/services';
import { useOneAtATime } from '../../parts/use-one-at-a-time';

/** Refetches a query on relevant message events: one request at a time for any number of events. */
export function usePostNews(queryKey: QueryKey, concerns: (event: LiveEvent) => boolean): void {
  const client = useQueryClient();
  const read = useOneAtATime(() => client.invalidateQueries({ queryKey, exact: true }));
  const hear = useRef<(event: LiveEvent) => void>(() => undefined);
  useEffect(() => {
    hear.current = (event) => {
      if (isOfPosts(event) && concerns(event)) void read();
    };
  });
  useEffect(() => live.listen((event) => hear.current(event)), []);
}

const isOfPosts = ({ event }: LiveEvent): boolean =>
  event === 'posted' || event === 'post_edited' || event === 'post_deleted';
