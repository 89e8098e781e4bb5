/** Schedules an action. After each failure it waits longer, or as long as the server asked. */

const FIRST_PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 60;

export class Retry {
  /** @param {() => void} act */
  constructor(act) {
    this.act = act;
    this.failures = 0;
    /** Whether the server named the pause. Only `now` shortens such a pause. */
    this.named = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** Later, counted from the last time that this was said; a pause after a failure is not shortened. @param {number} ms */
  soon(ms) {
    if (!this.failures || this.timer === undefined) this.set(ms);
  }

  /** At once, also in a pause. */
  now() {
    if (this.named && this.timer !== undefined) return;
    this.clear();
    this.act();
  }

  /** @param {number} [seconds] that the server named */
  fail(seconds = 0) {
    this.set(1000 * (seconds || Math.min(FIRST_PAUSE_SECONDS * 2 ** this.failures, LONGEST_PAUSE_SECONDS)));
    this.failures++;
    this.named = seconds > 0;
  }

  /** There is nothing to do. */
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
