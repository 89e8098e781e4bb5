/** Schedules an action. The pause grows with each failure, unless the server names one. */

const FIRST_PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 60;

export class Retry {
  /** @param {() => void} act */
  constructor(act) {
    this.act = act;
    this.failures = 0;
    /** Whether the server named the pause. Neither `soon` nor `now` shortens such a pause. */
    this.named = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * Schedules the action in `ms` milliseconds, replacing an earlier schedule. A pause after a failure is not shortened.
   * @param {number} ms
   */
  soon(ms) {
    if (!this.failures || this.timer === undefined) this.set(ms);
  }

  /** Acts immediately, even during a pause after a failure, unless the server named that pause. */
  now() {
    if (this.named && this.timer !== undefined) return;
    this.clear();
    this.act();
  }

  /** @param {number} [seconds] the pause that the server named */
  fail(seconds = 0) {
    this.set(1000 * (seconds || Math.min(FIRST_PAUSE_SECONDS * 2 ** this.failures, LONGEST_PAUSE_SECONDS)));
    this.failures++;
    this.named = seconds > 0;
  }

  /** Cancels the action and resets the count of failures. */
  rest() {
    this.clear();
    this.failures = 0;
  }

  /** @param {number} ms */
  set(ms) {
    this.clear();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.act();
    }, ms);
  }

  clear() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.named = false;
  }
}
