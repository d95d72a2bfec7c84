/**
 * Posts that are under way to one subscription, to those that answer, and to those that do not. See
 * docs/interface.md#webhook-deliveries.
 */
const PARALLEL = 4;
const ANSWERING = 256;
const FAILING = 64;

/** Milliseconds between two attempts at a destination that does not answer. */
const PAUSE = 1_000;

interface Lane {
  underWay: number;
  /** Its last attempt failed in a way that passes: so will the next ones, most likely. */
  isFailing: boolean;
  notBefore: number;
}

/**
 * Who may be posted to now. A destination that fails is tried one delivery at a time, a pause apart, from slots of its own,
 * until it answers again: however many of them are dead, the others have their slots and the time of the program.
 */
export interface DestinationLimiter {
  /** How many posts to a subscription may be under way at `now`. */
  parallel(subscription: string, now: number): number;
  begin(subscription: string): void;
  end(subscription: string, at: number, failed: boolean): void;
  readonly underWay: number;
}

export function createDestinationLimiter(): DestinationLimiter {
  const limiters = new Map<string, Lane>();
  let answering = 0;
  let failing = 0;
  const count = (lane: Lane, by: number) => {
    lane.underWay += by;
    if (lane.isFailing) failing += by;
    else answering += by;
  };
  return {
    get underWay() {
      return answering + failing;
    },
    parallel(subscription, now) {
      const lane = limiters.get(subscription) ?? { underWay: 0, isFailing: false, notBefore: 0 };
      // A clock that was set back would make the pause longer than it is.
      if (now < lane.notBefore && lane.notBefore - now <= PAUSE) return 0;
      if (lane.isFailing) return failing < FAILING ? 1 : lane.underWay;
      return Math.min(PARALLEL, lane.underWay + ANSWERING - answering);
    },
    begin(subscription) {
      const lane = limiters.get(subscription) ?? { underWay: 0, isFailing: false, notBefore: 0 };
      limiters.set(subscription, lane);
      count(lane, 1);
    },
    end(subscription, at, failed) {
      const lane = limiters.get(subscription);
      if (!lane) return;
      count(lane, -1);
      const left = lane.underWay;
      count(lane, -left);
      lane.isFailing = failed;
      count(lane, left);
      if (failed) lane.notBefore = at + PAUSE;
      else lane.notBefore = 0;
      // Nothing is remembered of those that answer.
      if (lane.underWay === 0 && !failed) limiters.delete(subscription);
    },
  };
}
