/** Calls made while a write is under way go into the next one; each caller waits for its own. */
export function coalesceSubmits(write, { lanes = 1 } = {}) {
  let waiting = [];
  let flying = 0;
  const flush = async () => {
    if (flying >= lanes || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    flying += 1;
    try {
      await write(batch.map(({ params }) => params));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    flying -= 1;
    void flush();
  };
  return (params) =>
    new Promise((resolve, reject) => {
      waiting.push({ params, resolve, reject });
      if (waiting.length === 1) setImmediate(flush);
    });
}
