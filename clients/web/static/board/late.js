/** Loads the styles of what appears on boards at some action of the user. Modules that draw such parts import this. */

const href = new URL("./late.css", import.meta.url).href;
document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
