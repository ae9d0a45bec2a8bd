/** Loads a module that a page needs only later. */

const AGAIN = 1000; // milliseconds

/** What an `import` brings; while there is no connection, it is tried every second. @template T @param {() => Promise<T>} load @returns {Promise<T>} */
export async function loaded(load) {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // a TypeError: it could not be fetched
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}
