// @ts-check
/** Who is learning here: a name, and a token of its own that the browser keeps. */

import { inputById, localStore, makeElement, byId } from "./dom.js";
import { school } from "./school_api.js";
import { describeError } from "./school_dom.js";

/** Ask who it is, once; what follows is done when it is known. @param {(name: string) => void} [known] */
export async function identifyLearner(known) {
  const form = byId("begin");
  const data = byId("known");
  const alert_ = byId("who-alert");
  /** @param {string} name */
  const here = (name) => {
    form.hidden = true;
    data.hidden = false;
    data.replaceChildren("You are ", makeElement("strong", {}, name), ". What you answer is kept under this name.");
    known?.(name);
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    alert_.textContent = "";
    try {
      const { name } = await school.begin(inputById("learner-name").value.trim());
      localStore.put("name", name);
      here(name);
    } catch (error) {
      alert_.textContent = describeError(error);
    }
  });
  try {
    const me = await school.me();
    if (me) return here(me.name);
    inputById("learner-name").value = localStore.get("name");
    form.hidden = false;
  } catch (error) {
    alert_.textContent = describeError(error);
  }
  return undefined;
}
