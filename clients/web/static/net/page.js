/** The connection of a page, as the user of this browser; and its outages. */

import { Connection } from "./connection.js";
import { late } from "./loading.js";
import * as settings from "./settings.js";

/** @typedef {import("./connection.js").Frames} Frames */

const preferences = late(() => import("./preferences.js"));

/** Milliseconds offline before the page mentions it. A restart is shorter. */
const WORTH_A_WORD = 1500;

/**
 * @typedef {object} Listener what a page wants to hear of its connection
 * @property {(welcome: Frames["welcome"]) => void} [welcomed]
 * @property {(online: boolean) => void} [changed] the connection is lost, or back
 * @property {(frame: import("./connection.js").Frame) => void} [heard] a frame that is neither a reply nor of a
 * followed
 * room
 * @property {() => void} [lasting] an outage lasts so long that the page must mention it
 */

/**
 * Connect a page with the token and name of this browser. The token follows changes by other pages, and the connection
 * what the browser reports of the network.
 * @param {string} [room] the room of the page @param {Listener} [listener]
 */
export function connect(room, { welcomed, changed, heard, lasting } = {}) {
  const connection = new Connection(settings.socketUrl(room), {
    token: settings.get("token"),
    name: settings.get("name"),
    stored: settings.identity,
    welcomed: (welcome) => {
      settings.set("token", welcome.token);
      if (welcome.account) void preferences().then(({ fetchKept }) => fetchKept(connection, welcome.player));
      welcomed?.(welcome);
    },
    changed: (online) => {
      outage.take(online);
      changed?.(online);
    },
    heard,
  });
  const outage = new Outage(connection, () => lasting?.());
  settings.followTheme();
  settings.onToken((token) => connection.become(token));
  addEventListener("online", () => connection.nudge());
  addEventListener("offline", () => connection.doubt());
  document.addEventListener("visibilitychange", () => document.hidden || connection.probe());
  return { connection, outage };
}

/** A lost connection: when to mention it, and when the next attempt is. */
export class Outage {
  /** @param {Connection} connection @param {() => void} lasting called when the page must mention it */
  constructor(connection, lasting) {
    this._connection = connection;
    this._lasting = lasting;
    this._lasts = false;
    this.take(connection.online);
  }

  /** The connection is lost, or back. @param {boolean} online */
  take(online) {
    this._lasts = !online && !navigator.onLine;
    if (online || this._lasts) return;
    setTimeout(() => {
      this._lasts = !this._connection.online;
      this._lasting();
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
