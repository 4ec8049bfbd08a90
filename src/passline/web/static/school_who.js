// @ts-check
/** Who is learning here: a name, and a token of its own that the browser keeps. */

import { box, kept, made, part } from "./dom.js";
import { school } from "./school_api.js";
import { wrongWords } from "./school_dom.js";

/** Ask who it is, once; what follows is done when it is known. @param {(name: string) => void} [known] */
export async function who(known) {
  const form = part("begin");
  const told = part("known");
  const alert_ = part("who-alert");
  /** @param {string} name */
  const here = (name) => {
    form.hidden = true;
    told.hidden = false;
    told.replaceChildren("You are ", made("strong", {}, name), ". What you answer is kept under this name.");
    known?.(name);
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    alert_.textContent = "";
    try {
      const { name } = await school.begin(box("learner-name").value.trim());
      kept.put("name", name);
      here(name);
    } catch (wrong) {
      alert_.textContent = wrongWords(wrong);
    }
  });
  try {
    const me = await school.me();
    if (me) return here(me.name);
    box("learner-name").value = kept.get("name");
    form.hidden = false;
  } catch (wrong) {
    alert_.textContent = wrongWords(wrong);
  }
  return undefined;
}
