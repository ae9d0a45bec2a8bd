/** A lost connection: when to mention it, and when to try again. */

/** Milliseconds offline before the page mentions it. A restart is shorter. */
const WORTH_A_WORD = 1500;

export class Outage {
  /**
   * @param {import("./connection.js").Connection} connection
   * @param {() => void} changed called when the page must mention it
   */
  constructor(connection, changed) {
    this._connection = connection;
    this._changed = changed;
    this._lasts = false;
    this.take(connection.online);
    addEventListener("online", () => connection.nudge());
    addEventListener("offline", () => connection.doubt());
    document.addEventListener("visibilitychange", () => document.hidden || connection.probe());
  }

  /** The connection is lost, or back. @param {boolean} online */
  take(online) {
    this._lasts = !online && !navigator.onLine;
    if (online || this._lasts) return;
    setTimeout(() => {
      this._lasts = !this._connection.online;
      this._changed();
    }, WORTH_A_WORD);
  }

  /**
   * The time of the next attempt, by the server's clock, if the page must mention the outage.
   * @returns {{retry: number}|null}
   */
  get now() {
    const { online, retryAt, offset } = this._connection;
    return this._lasts && !online ? { retry: retryAt + offset } : null;
  }
}
