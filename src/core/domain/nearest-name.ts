/** The candidate a person most likely meant by `word`; null when none is near. */
export function findNearestName(word: string, candidates: Iterable<string>): string | null {
  const given = word.toLowerCase();
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    // A word from a request can be long; no candidate is near it then.
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(given, candidate.toLowerCase());
    if (distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

/** `Did you mean …?` with a space before it, or nothing. */
export function suggest(word: string, candidates: Iterable<string>): string {
  const nearest = findNearestName(word, candidates);
  return nearest === null ? '' : ` Did you mean "${nearest}"?`;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(before, j - 2) + 1);
      }
      row.push(best);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
