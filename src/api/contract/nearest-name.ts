/** The known name that `name` was most likely meant to be, or null when none is near. */
export function findNearestName(name: string, known: readonly string[]): string | null {
  const allowed = Math.max(1, Math.floor(name.length / 3));
  let nearest: string | null = null;
  let least = allowed + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

/** How many letters must be added, dropped or changed to make one word of the other. */
function editDistance(from: string, to: string): number {
  // A name from a request can be long; no known one is, so the table stays small.
  if (from.length > to.length + 10) return from.length;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
