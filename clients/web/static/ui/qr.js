/** The QR code of a link to a room. The server draws it. */

import { el } from "./dom.js";

/** @param {string} link */
export function qr(link) {
  const { origin, pathname } = new URL(link);
  return el("img", {
    src: `${pathname}/qr.svg?at=${encodeURIComponent(origin)}`, alt: "QR code of the link", width: "116", height: "116",
  });
}
