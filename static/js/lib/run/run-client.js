/**
 * Runs a program on the server and reports its events until there is a result or a failure that a retry cannot change. Submissions and
 * predictions are runs at URLs of their own; their last event follows the result.
 *
 * A run is sent again only if it was never accepted: there was no connection, or the server said that it cannot take the run now (429, or
 * 503 and the event `error` with the code `unavailable`). If an accepted run is lost (its stream breaks off, or the server fails), the loss
 * is reported, and the learner decides whether to run it again.
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
 * @typedef {object} Route  the address of a request
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

/** The error codes of runs that were not started and can be sent again. */
const UNAVAILABLE = "unavailable";
const QUEUE_FULL = "queue_full";

/** The error codes of faults that a retry does not repair and whose message adds nothing. "" means a response that is not from our API. */
const FAULTS = ["lost", "internal", ""];

/** Thrown if the run is to be sent again, after `seconds` if the server named a time. */
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
    /** Whether the program's result has arrived. */
    this.ran = false;
    this.abort = new AbortController();
    this.retryNow = new AbortController();
  }

  /** Runs the program to its end and retries if necessary. Never throws. */
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

  /** Asks the server to stop the run. If no result arrives soon, closes the connection, which also stops it. */
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

  /** Ends the pause before the next attempt. */
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

  /** The page's language as a header, for errors that the server reports before it reads the body. */
  language() {
    return this.request.lang ? { "accept-language": this.request.lang } : {};
  }

  /**
   * Handles the events of an accepted run up to the last; throws if the stream ends without it.
   * @param {ReadableStream<Uint8Array>} body
   */
  async follow(body) {
    for await (const { event, data } of readEvents(body)) {
      if (this.take(event, JSON.parse(data))) return;
    }
    throw new Error("the stream broke off");
  }

  /** Handles one event; returns true if it was the last. @param {string} event @param {any} data */
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
   * Handles the program's result, or a verdict that follows it; returns true if it was the last event.
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

  /**
   * Handles a response that is not a run: throws `Again` if the request is to be repeated, otherwise ends the run.
   * @param {Response} response
   */
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

  /** Ends the run and reports its last event. @param {RunNews} news */
  end(news) {
    this.over = true;
    this.tell(news);
  }

  /** Waits for the next attempt and reports the remaining time every second. @param {Again} again @param {number} attempt */
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

/** The seconds before the next attempt: 1, 2, 4, 8, then always 15. @param {number} attempt from 0 */
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
