/** Changes that no spec can notice, by module, and why: an entry that does not survive any more fails the run. */
export const survivors = {};
