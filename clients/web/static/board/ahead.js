/** The arrows of premoves, in their order. */

import { squares } from "../model/table.js";
import { svg } from "../ui/dom.js";

/**
 * Draw an arrow for each premove, with numbers if there are several.
 * @param {Element} layer @param {(square: string) => number[]} corner a square's corner; a square has 100 units
 * @param {string[]} premoves
 */
export function drawAhead(layer, corner, premoves) {
  premoves.forEach((move, index) => {
    const [from, to] = squares(move);
    const start = from.endsWith("@") ? to : from; // a drop has no arrow
    const [[x1, y1], [x2, y2]] = [start, to].map((square) => corner(square).map((at) => at + 50));
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [hx, hy] = [x2 - dx * 26, y2 - dy * 26];
    if (start !== to)
      layer.append(
        svg("path", { d: `M${x1} ${y1}L${hx} ${hy}`, class: "premoved" }),
        svg("path", {
          d: `M${x2} ${y2}L${hx - dy * 17} ${hy + dx * 17}L${hx + dy * 17} ${hy - dx * 17}z`, class: "premoved-head",
        }),
      );
    if (premoves.length < 2) return;
    const label = svg("text", { x: x1, y: y1 + 11, class: "premoved-number" });
    label.textContent = `${index + 1}`;
    layer.append(svg("circle", { cx: x1, cy: y1, r: 19, class: "premoved-head" }), label);
  });
}
