const PAGE = 200;
/** More than a team may have, unless its limits were raised far. */
const MAX_PAGES = 50;
/** How far a list is read; with so many there may be more. */
export const LONGEST_LIST = MAX_PAGES * PAGE;

/** The question for a page of the largest size. */
export interface PageQuestion {
  readonly page: number;
  readonly per_page: number;
}

/** Reads a list to its end, but no further than to `LONGEST_LIST` unless told so. */
export async function allPages<T>(
  read: (page: PageQuestion) => Promise<readonly T[]>,
  maxPages = MAX_PAGES,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 0; page < maxPages; page++) {
    const found = await read({ page, per_page: PAGE });
    all.push(...found);
    if (found.length < PAGE) break;
  }
  return all;
}
