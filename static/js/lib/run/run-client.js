/**
 * Runs a program on the server and tells what happens, until there is a result or an answer that trying again cannot change. Submissions
 * and predictions are runs, too, at addresses of their own: more is told after the result, and another event is the last.
 *
 * Only what was never accepted is sent again: there was no connection, or the server said that it cannot take the run now (429, or 503 and
 * the event `error` with the code `unavailable`). A run that was accepted and is lost (its stream breaks off, a fault of the server) is
 * told as such; whether to run it again is for the learner to say.
 */

import { readEvents } from "./event-stream.js";

/**
 * @typedef {import("../types.js").RunRequest} RunRequest
 * @typedef {import("../types.js").RunResult} RunResult
 * @typedef {import("../types.js").RunRecord} RunRecord
 * @typedef {import("../types.js").CheckNews} CheckNews
 * @typedef {import("../types.js").Submission} Submission
 * @typedef {import("../types.js").PredictionNews} PredictionNews
 *
 * @typedef {{type: "sending"}
 *   | {type: "queued", id: string, position: number, starting?: string}
 *   | {type: "started", id: string}
 *   | {type: "stdout", text: string}
 *   | {type: "stderr", text: string}
 *   | {type: "record", record: RunRecord}
 *   | {type: "result", result: RunResult}
 *   | {type: "check", check: CheckNews}
 *   | {type: "prediction", prediction: PredictionNews}
 *   | {type: "submission", submission: Submission}
 *   | {type: "refused", message: string, recorded?: boolean | undefined}
 *   | {type: "lost"}
 *   | {type: "waiting", reason: "unreachable" | "busy", message: string, seconds: number}
 *   | {type: "cancelled"}} RunNews
 *
 * @typedef {object} Route  where a request goes
 * @property {string} url
 * @property {"result" | "prediction" | "submission"} last the event that ends the stream
 * @property {Record<string, string>} [headers]
 *
 * @typedef {object} Surroundings
 * @property {typeof globalThis.fetch} fetch
 * @property {(seconds: number, signal: AbortSignal) => Promise<void>} wait ends early, without an error, when the signal does
 */

const URL = "/api/runs";
const LONGEST_PAUSE_SECONDS = 15;
const STOP_PATIENCE_SECONDS = 2;

/** The codes of what was not run and may be sent again. */
const UNAVAILABLE = "unavailable";
const QUEUE_FULL = "queue_full";

/** Codes of a fault that sending again does not mend and the message of which says no more; "" is an answer of no API of ours. */
const FAULTS = ["lost", "internal", ""];

/** A reason to ask again, after `seconds` if the server named a time. */
class Again extends Error {
  /** @param {"unreachable" | "busy"} reason @param {string} [message] @param {number} [seconds] */
  constructor(reason, message = "", seconds = 0) {
    super(message);
    this.reason = reason;
    this.seconds = seconds;
  }
}

export class Run {
  /**
   * @param {RunRequest | {lang: string}} request
   * @param {(news: RunNews) => void} tell
   * @param {Surroundings} [surroundings]
   * @param {Route} [route]
   */
  constructor(request, tell, surroundings = { fetch: globalThis.fetch.bind(globalThis), wait }, route = { url: URL, last: "result" }) {
    this.request = request;
    this.route = route;
    this.tell = tell;
    this.surroundings = surroundings;
    /** @type {string | null} */
    this.id = null;
    this.over = false;
    /** Whether the program has come to its result. */
    this.ran = false;
    this.abort = new AbortController();
    this.retryNow = new AbortController();
  }

  /** Runs to the end; never throws. */
  async start() {
    for (let attempt = 0; !this.abort.signal.aborted; attempt++) {
      try {
        await this.attempt();
        break;
      } catch (error) {
        if (this.abort.signal.aborted) break;
        await this.pause(error instanceof Again ? error : new Again("unreachable"), attempt);
      }
    }
    if (!this.over) this.tell({ type: "cancelled" });
    this.over = true;
  }

  /** Ends the run: the server is asked to, and if no result comes soon the connection is closed, which kills it too. */
  async stop() {
    if (this.id === null) return this.abort.abort();
    try {
      const answer = await this.surroundings.fetch(`${URL}/${this.id}`, { method: "DELETE" });
      if (answer.ok && !this.over) await this.surroundings.wait(STOP_PATIENCE_SECONDS, this.abort.signal);
    } catch {
      // The connection is closed in any case.
    }
    if (!this.over) this.abort.abort();
  }

  /** Asks again at once, if it is waiting to. */
  tryNow() {
    this.retryNow.abort();
  }

  async attempt() {
    this.id = null;
    this.tell({ type: "sending" });
    const response = await this.surroundings.fetch(this.route.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", ...this.language(), ...this.route.headers },
      body: JSON.stringify(this.request),
      signal: this.abort.signal,
    });
    if (!response.ok) return this.refuse(response);
    this.id = response.headers.get("x-run-id");
    try {
      await this.follow(/** @type {ReadableStream<Uint8Array>} */ (response.body));
    } catch (error) {
      if (error instanceof Again || this.abort.signal.aborted) throw error;
      this.end({ type: "lost" });
    }
  }

  /** The page's language, for an answer that is given before the body is read. */
  language() {
    return this.request.lang ? { "accept-language": this.request.lang } : {};
  }

  /** The events of an accepted run, to the last; throws where there is none. @param {ReadableStream<Uint8Array>} body */
  async follow(body) {
    for await (const { event, data } of readEvents(body)) {
      if (this.take(event, JSON.parse(data))) return;
    }
    throw new Error("the stream broke off");
  }

  /** One event; true when it was the last. @param {string} event @param {any} data */
  take(event, data) {
    switch (event) {
      case "queued":
      case "started":
        this.id = data.id;
        this.tell({ type: event, ...data });
        return false;
      case "stdout":
      case "stderr":
        this.tell({ type: event, text: data.text });
        return false;
      case "record":
        this.tell({ type: "record", record: data });
        return false;
      case "check":
        this.tell({ type: "check", check: data });
        return false;
      case "result":
      case "prediction":
      case "submission":
        return this.conclude(event, data);
      case "error":
        if (data.code === UNAVAILABLE) throw new Again("unreachable", data.message);
        if (data.code === QUEUE_FULL) throw new Again("busy", data.message);
        this.end(FAULTS.includes(data.code) ? { type: "lost" } : { type: "refused", message: data.message });
        return true;
      default:
        return false;
    }
  }

  /**
   * The program's result, or what is said of it after that; true when it was the last.
   * @param {"result" | "prediction" | "submission"} event
   * @param {any} data
   */
  conclude(event, data) {
    const result = event === "result" ? data : data.run;
    if (!this.ran && result) {
      this.ran = true;
      this.over = this.route.last === "result";
      this.tell({ type: "result", result });
    }
    if (event !== this.route.last) return false;
    const { run: _, ...told } = data;
    if (event !== "result") this.end(/** @type {RunNews} */ ({ type: event, [event]: told }));
    return true;
  }

  /** An answer that is not a run: to be asked again, or final. @param {Response} response */
  async refuse(response) {
    const {
      code,
      message,
      recorded = false,
    } = await response.json().then(
      ({ error }) => ({ ...error, code: String(error.code), message: String(error.message) }),
      () => ({ code: "", message: "" }),
    );
    const seconds = Number(response.headers.get("retry-after"));
    if (response.status === 429) throw new Again("busy", message, seconds || 1);
    if (response.status === 503 && code === UNAVAILABLE) throw new Again("unreachable", message, seconds || 0);
    if (response.status >= 500 && FAULTS.includes(code)) return this.end({ type: "lost" });
    this.end({ type: "refused", message: message || `HTTP ${response.status}`, recorded });
  }

  /** The last news. @param {RunNews} news */
  end(news) {
    this.over = true;
    this.tell(news);
  }

  /** Counts down, second by second, to the next attempt. @param {Again} again @param {number} attempt */
  async pause(again, attempt) {
    this.retryNow = new AbortController();
    const { reason, message } = again;
    for (
      let seconds = again.seconds || backoff(attempt);
      seconds > 0 && !this.abort.signal.aborted && !this.retryNow.signal.aborted;
      seconds--
    ) {
      this.tell({ type: "waiting", reason, message, seconds });
      await this.surroundings.wait(1, AbortSignal.any([this.abort.signal, this.retryNow.signal]));
    }
  }
}

/** Seconds before the next attempt: 1, 2, 4, 8, then always 15. @param {number} attempt from 0 */
export function backoff(attempt) {
  return Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS);
}

/** @param {number} seconds @param {AbortSignal} signal @returns {Promise<void>} */
export function wait(seconds, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
