/** Collects the findings of background checks. The running test then fails, or its file if no test does. */

/** @type {Error[]} */
let faults = [];

/** Reports a fault with the stack of the caller. */
export function reportFault(/** @type {string} */ fault) {
  faults.push(new Error(fault));
}

/** The faults since the last call. */
export function takeFaults() {
  const taken = faults;
  faults = [];
  return taken;
}
