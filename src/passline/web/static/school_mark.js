// @ts-check
/** A mark: right or wrong, the key and the steps, the chips as they are paid, the clauses. */

import { makeElement, byId, makeButton } from "./dom.js";
import { citationLink, makeStack } from "./school_dom.js";

/** @param {import("./school_api.js").Mark} marked @param {() => void} next */
export function showMark(marked, next) {
  const place = byId("mark");
  const title = makeElement("h3", { id: "mark-title" }, marked.right ? "Right" : "Not right");
  const nodes = [title, makeElement("p", { class: "because" }, asSentence(marked.because))];
  if (!marked.right) {
    if (marked.stack) nodes.push(makeStack(marked.stack));
    const more = marked.explain.filter((words) => !marked.because.includes(words));
    if (more.length) nodes.push(makeElement("ul", { class: "explained" }, ...more.map((words) => makeElement("li", {}, asSentence(words)))));
  }
  const cites = marked.right ? marked.cite.slice(0, 3) : [...new Set([...marked.missed, ...marked.cite])].slice(0, 8);
  if (cites.length) {
    const links = cites.flatMap((cite, at) => (at ? [", ", citationLink(cite)] : [citationLink(cite)]));
    nodes.push(makeElement("p", { class: "cites" }, "The rule: ", ...links));
  }
  const on = makeButton("Next", next);
  on.id = "next";
  nodes.push(makeElement("p", { class: "acts" }, on));
  place.replaceChildren(...nodes);
  place.classList.toggle("right", marked.right);
  place.hidden = false;
  byId("answer").hidden = true;
  on.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

/** @param {string} words */
function asSentence(words) {
  const said = words.trim();
  const capital = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
