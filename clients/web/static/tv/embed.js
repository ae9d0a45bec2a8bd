/** A live board for other web pages: `<iframe src=".../embed/ROOM">`. */

import { sprite } from "../board/pieces.js";
import { Stage } from "../live/stage.js";
import { byId } from "../ui/dom.js";
import { followGame } from "./room.js";

const stage = new Stage(byId("board"), byId("about"), { link: "Fourfold", nothing: "There is no such game." });
document.body.append(sprite());
followGame((room, table) => stage.show(table === null ? null : { room }, table, () => ""), (now) => stage.tick(now));
