// @ts-check
/** A mark: right or wrong, the key and the steps, the chips as they are paid, the clauses. */

import { made, part, press } from "./dom.js";
import { lawLink, stackShown } from "./school_dom.js";

/** @param {import("./school_api.js").Marked} marked @param {() => void} next */
export function showMark(marked, next) {
  const place = part("mark");
  const title = made("h3", { id: "mark-title" }, marked.right ? "Right" : "Not right");
  const nodes = [title, made("p", { class: "because" }, sentence(marked.because))];
  if (!marked.right) {
    if (marked.stack) nodes.push(stackShown(marked.stack));
    const more = marked.explain.filter((words) => !marked.because.includes(words));
    if (more.length) nodes.push(made("ul", { class: "explained" }, ...more.map((words) => made("li", {}, sentence(words)))));
  }
  const cites = marked.right ? marked.cite.slice(0, 3) : [...new Set([...marked.missed, ...marked.cite])].slice(0, 8);
  if (cites.length) {
    const links = cites.flatMap((cite, at) => (at ? [", ", lawLink(cite)] : [lawLink(cite)]));
    nodes.push(made("p", { class: "cites" }, "The rule: ", ...links));
  }
  const on = press("Next", next);
  on.id = "next";
  nodes.push(made("p", { class: "acts" }, on));
  place.replaceChildren(...nodes);
  place.classList.toggle("right", marked.right);
  place.hidden = false;
  part("answer").hidden = true;
  on.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

/** @param {string} words */
function sentence(words) {
  const said = words.trim();
  const capital = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
