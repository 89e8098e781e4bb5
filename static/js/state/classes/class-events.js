/**
 * The stream that tells the reader what happens in their classes: one for all tabs of a browser. The tab that the reader looks at has it,
 * and passes on what comes to the others. Without locks, which need HTTPS, each tab that is looked at has a stream of its own.
 *
 * While the stream is open, the class sees the reader as present. So it is closed while the page is hidden, and when the reader has not
 * touched it for IDLE_MS.
 */

const NAME = "gradroom/class-events"; // of the lock and of the channel
const IDLE_MS = 10 * 60_000;
const GIVE_WAY_MS = 3 * 60_000;
const RETRY_MS = 20_000;

/**
 * @typedef {{class_id: number, raised: boolean, lesson: string | null, exercise: string | null, shares: boolean, helper: string | null}} Hand
 * @typedef {{hands: Hand[], unread: number}} ClassState
 */

export class ClassEvents {
  /** @param {string} lesson the path of the lesson that this page shows, or "" @param {(state: ClassState) => void} receive */
  constructor(lesson, receive) {
    this.lesson = lesson;
    this.receive = receive;
    /** @type {EventSource | null} */
    this.source = null;
    /** Ends the hold of the lock. @type {(() => void) | null} */
    this.release = null;
    this.timer = 0;
    this.touchedAt = Date.now();
    this.channel = "BroadcastChannel" in window ? new BroadcastChannel(NAME) : null;
    this.channel?.addEventListener("message", ({ data }) => receive(data));
  }

  start() {
    document.addEventListener("visibilitychange", () => this.check());
    window.addEventListener("focus", () => this.touch());
    for (const kind of ["pointerdown", "keydown", "scroll"]) window.addEventListener(kind, () => this.touch(), { passive: true });
    setInterval(() => this.looked || this.release?.(), IDLE_MS / 10); // it takes no lock: of two visible windows one has the stream
    this.check();
  }

  /** Whether the reader looks at this page. */
  get looked() {
    return !document.hidden && Date.now() - this.touchedAt < IDLE_MS;
  }

  touch() {
    this.touchedAt = Date.now();
    if (!this.release && document.hasFocus()) this.check();
  }

  check() {
    if (!this.looked) this.release?.();
    else if (!this.release) void this.hold();
  }

  /** Takes the lock from the tab that has it, and has the stream until another tab takes it or the reader looks away. */
  async hold() {
    const until = new Promise((resolve) => (this.release = () => resolve(undefined)));
    this.open();
    try {
      if (navigator.locks) await navigator.locks.request(NAME, { steal: true }, () => until);
      else await until;
    } catch {
      // Another tab has taken it.
    }
    this.close();
    this.release = null;
  }

  open() {
    const query = new URLSearchParams({ lesson: this.lesson });
    const source = new EventSource(`/api/me/class-events?${query}`);
    source.addEventListener("state", ({ data }) => this.take(JSON.parse(data)));
    source.addEventListener("give_way", () => this.openLater(GIVE_WAY_MS));
    source.addEventListener("error", () => source.readyState === EventSource.CLOSED && this.openLater(RETRY_MS));
    this.source = source;
  }

  /** Opens the stream again after about this time, not all browsers at once. @param {number} ms */
  openLater(ms) {
    this.close();
    this.timer = window.setTimeout(() => this.release && this.open(), ms * (0.75 + Math.random() / 2));
  }

  close() {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }

  /** @param {ClassState} state */
  take(state) {
    this.receive(state);
    this.channel?.postMessage(state);
  }
}
