/** Requests for files of the server. */

/** The server's answer; null if it cannot be reached. @param {string} path @returns {Promise<Response|null>} */
export const answerTo = (path) =>
  fetch(path).catch((error) => {
    if (!(error instanceof TypeError)) throw error;
    return null;
  });
