/** Loads the modules of `later.js`, once; while there is no connection, every second. */

/** @type {Promise<typeof import("./later.js")>|null} */
let rest = null;

const AGAIN = 1000; // milliseconds

async function load() {
  for (;;) {
    try {
      return await import("./later.js");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // a TypeError: it could not be fetched
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}

export const later = () => (rest ??= load());
