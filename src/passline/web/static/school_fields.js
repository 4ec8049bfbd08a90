// @ts-check
/** What is filled in: choices, amounts, words, amounts by number, steps that are wrong. */

import { made, press } from "./dom.js";

/**
 * @typedef {import("./school_api.js").Field} Field
 * @typedef {import("./school_api.js").Sheet} Sheet
 * @typedef {{element: HTMLElement, value: any}} Filled what is shown, and what it holds now
 */

/** @param {HTMLElement} element @param {() => any} value @returns {Filled} */
const filled = (element, value) => Object.defineProperty({ element, value: undefined }, "value", { get: value });

/** @param {string} label @param {Record<string, string>} [more] */
function input(label, more = {}) {
  const text = /** @type {HTMLInputElement} */ (made("input", { type: "text", maxlength: "500", autocomplete: "off", ...more }));
  return { text, label: made("label", { class: "field" }, made("span", {}, label), text) };
}

/** @param {Field} field */
export function amount(field) {
  const { text, label } = input(field.label, { inputmode: "decimal", placeholder: "$", class: "amount" });
  return filled(label, () => text.value.trim() || undefined);
}

/** @param {Field} field @param {Sheet} sheet */
export function words(field, sheet) {
  const { text, label } = input(field.optional ? `${field.label} (if you like)` : field.label);
  const chosen = sheet.phrases.map((phrase) => {
    const one = press(phrase, () => {
      text.value = text.value.trim() ? `${text.value.trim()}, ${phrase}` : phrase;
      text.focus();
    });
    one.className = "phrase";
    return one;
  });
  const said = made("div", { class: "said" }, label);
  void offerEar(text, label);
  if (chosen.length)
    said.append(made("details", { class: "phrases" }, made("summary", {}, "Choose the words"), made("div", {}, ...chosen)));
  return filled(said, () => text.value.trim() || undefined);
}

/** Speech, only where the device understands it by itself. @param {HTMLInputElement} text @param {HTMLElement} label */
async function offerEar(text, label) {
  const Recognition = /** @type {any} */ (window).SpeechRecognition;
  const there = await Recognition?.available?.({ langs: ["en-US"], processLocally: true }).catch(() => "unavailable");
  if (there !== "available") return;
  label.after(
    press("Speak", () => {
      const ear = new Recognition();
      ear.lang = "en-US";
      ear.processLocally = true;
      ear.onresult = (/** @type {any} */ heard) => {
        text.value = heard.results[0]?.[0]?.transcript ?? text.value;
      };
      ear.start();
    }),
  );
}

/** @param {Field} field @param {Sheet} sheet */
export function choice(field, sheet) {
  /** @type {string[]} */
  const choices = sheet.given.choices ?? [];
  const radios = choices.map((_, at) => /** @type {HTMLInputElement} */ (made("input", { type: "radio", name: "choice", value: String(at) })));
  const labels = choices.map((told, at) => made("label", { class: "choice" }, /** @type {HTMLInputElement} */ (radios[at]), made("span", {}, told)));
  const group = made("fieldset", { class: "choices-list", role: "radiogroup", "aria-labelledby": "ask" }, made("legend", { class: "unseen" }, field.label), ...labels);
  group.addEventListener("keydown", (event) => {
    const radio = radios[Number(event.key) - 1];
    if (radio) {
      radio.checked = true;
      radio.focus();
    } else if (event.key === "Enter") group.closest("form")?.requestSubmit();
    else return;
    event.preventDefault();
  });
  return filled(group, () => {
    const at = radios.findIndex((radio) => radio.checked);
    return at < 0 ? undefined : at;
  });
}

/** Amounts on the numbers; a number without one has none. @param {Field} field */
export function wagers(field) {
  const boxes = (field.choices ?? []).map(([slug, name]) => ({ slug, ...input(name, { inputmode: "decimal", placeholder: "$", class: "amount" }) }));
  const group = made("fieldset", { class: "by-number" }, made("legend", {}, field.label), ...boxes.map((one) => one.label));
  return filled(group, () => {
    const given = boxes.map((one) => [one.slug, one.text.value.trim()]).filter(([, value]) => value);
    return given.length ? Object.fromEntries(given) : undefined;
  });
}

/** Steps as somebody did them: which of them are wrong. @param {Field} field @param {Sheet} sheet */
export function wrong(field, sheet) {
  const steps = [...sheet.steps, "Something is left out after the last step"];
  const ticks = steps.map((_, at) => /** @type {HTMLInputElement} */ (made("input", { type: "checkbox", value: String(at + 1) })));
  const items = steps.map((told, at) =>
    made("li", {}, made("label", { class: "choice" }, /** @type {HTMLInputElement} */ (ticks[at]), made("span", {}, `${at + 1}. ${told}`))),
  );
  const hint = made("p", { class: "keys" }, "A step that is left out is ticked where it belongs.");
  const group = made("fieldset", { class: "choices-list" }, made("legend", {}, field.label), made("ol", {}, ...items), hint);
  return filled(group, () => {
    const found = ticks.filter((tick) => tick.checked).map((tick) => Number(tick.value));
    return found.length ? found : undefined;
  });
}
