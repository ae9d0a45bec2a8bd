/** The modules that a page needs only after its first paint. They load after the board. */

export * as drawings from "./board/drawings.js";
export * as promotion from "./board/promotion.js";
export * as skip from "./board/skip.js";
export * as zoom from "./board/zoom.js";
export * as actions from "./game/actions.js";
export * as challenged from "./game/challenged.js";
export * as chatlog from "./game/chatlog.js";
export * as outcomes from "./game/outcomes.js";
export * as build from "./net/build.js";
export * as news from "./text/news.js";
export * as dialogs from "./ui/dialogs.js";
export * as popover from "./ui/popover.js";
export * as sound from "./ui/sound.js";
