import type { Db } from 'mongodb';

/** The server's clock, the same for all processes that share it. */
export interface ServerTime {
  now(): Promise<number>;
}

/** Calls that come while one is being asked share the next answer, which is later than all of them. */
export function createServerTime(admin: Db): ServerTime {
  let last = 0;
  let asking: Promise<number> | null = null;
  let waiting: Promise<number> | null = null;

  async function ask(): Promise<number> {
    const { localTime } = await admin.command({ hello: 1 });
    // A clock that was put back stands still until it has caught up.
    last = Math.max(last, (localTime as Date).getTime());
    return last;
  }

  function start(): Promise<number> {
    const asked = ask().finally(() => {
      asking = null;
    });
    asking = asked;
    return asked;
  }

  return {
    now() {
      if (asking === null) return start();
      if (waiting === null) {
        const next = asking
          .catch(() => 0)
          .then(() => {
            waiting = null;
            return start();
          });
        waiting = next;
      }
      return waiting;
    },
  };
}
