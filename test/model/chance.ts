import fc from 'fast-check';

/** The value once in so many times, else nothing. */
export function oneIn<Value>(
  times: number,
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | null> {
  return fc.oneof(
    { weight: times - 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: value },
  );
}

/** The same for fields that are left out. */
export function givenOneIn<Value>(
  times: number,
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | undefined> {
  return oneIn(times, value).map((one) => one ?? undefined);
}

/** Which of the things that are there: a number that a command turns into one. */
export const index = fc.nat({ max: 999 });

export const namespace = fc.constantFrom(...Array<string>(9).fill('default'), 'other');
