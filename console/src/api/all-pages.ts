const PAGE = 200;
/** More than a team may have, unless its limits are raised far. */
const MAX_PAGES = 50;
/** Default maximum number of rows to read; a list this long may have more. */
export const LONGEST_LIST = MAX_PAGES * PAGE;

/** Query for a page of the maximum size. */
export interface PageQuestion {
  readonly page: number;
  readonly per_page: number;
}

/** Reads all pages of a list, up to `LONGEST_LIST` unless `maxPages` is set. */
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
