/** Compares acknowledged posts with stored ones. */

/**
 * Returns faults by kind: { lost, doubled, half, wrong }. `once` holds requests that must be stored exactly once although
 * the first attempt got no answer.
 */
export function compare({ sent, found, hooks, once = new Set() }) {
  const faults = { lost: [], doubled: [], half: [], wrong: [] };
  const known = new Set();
  for (const item of sent) {
    known.add(item.marker);
    const isDue = item.outcome === 'acknowledged' || once.has(item.marker);
    if (item.kind === 'making') {
      const count = hooks.get(item.marker) ?? 0;
      if (count === 0 && isDue) faults.lost.push(`The hook ${item.marker} is gone.`);
      if (count > 1) faults.doubled.push(`The hook ${item.marker} is there ${count} times.`);
    } else comparePost(item, found.pieces.get(item.marker) ?? [], isDue, faults);
    if (!['acknowledged', 'unanswered', 'refused'].includes(item.outcome))
      faults.wrong.push(`${item.kind} ${item.marker} was answered ${item.outcome}`);
  }
  for (const marker of found.pieces.keys())
    if (!known.has(marker)) faults.wrong.push(`Nobody sent ${marker}.`);
  for (const text of found.foreign) faults.wrong.push(`Nobody sent "${text}".`);
  faults.wrong.push(...found.damaged);
  return faults;
}

function comparePost({ kind, marker, pieces, outcome }, numbers, isDue, faults) {
  if (numbers.length === 0) {
    if (isDue) faults.lost.push(`${kind} ${marker} (${outcome}) is gone.`);
  } else if (numbers.length < pieces) {
    faults.half.push(`${kind} ${marker} has only the pieces ${numbers.join(', ')} of ${pieces}.`);
  } else if (numbers.length > pieces) {
    faults.doubled.push(`${kind} ${marker} is there ${numbers.length} times instead of ${pieces}.`);
  } else if (numbers.some((number, at) => number !== at + 1)) {
    faults.wrong.push(`${kind} ${marker} has its pieces in the order ${numbers.join(', ')}.`);
  }
  if (outcome === 'refused' && numbers.length > 0)
    faults.wrong.push(`${kind} ${marker} was answered 503 and is stored.`);
}
