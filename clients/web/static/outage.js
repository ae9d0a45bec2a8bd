/** A connection that stays away: when that is worth a word, and what wakes it up again. */

/** A restart is over in a blink; only what lasts is worth a word. Milliseconds. */
const WORTH_A_WORD = 1500;

export class Outage {
  /** @param {import("./connection.js").Connection} connection @param {() => void} changed it is worth a word now */
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

  /** Of one that is worth a word: when it is tried again, by the server's clock. @returns {{retry: number}|null} */
  get now() {
    const { online, retryAt, offset } = this._connection;
    return this._lasts && !online ? { retry: retryAt + offset } : null;
  }
}
