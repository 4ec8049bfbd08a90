// @ts-check
/** What is filled in: choices, amounts, words, amounts by number, steps that are wrong. */

import { makeElement, makeButton } from "./dom.js";

/**
 * @typedef {import("./school_api.js").Field} Field
 * @typedef {import("./school_api.js").Question} Sheet
 * @typedef {{element: HTMLElement, value: any}} AnswerField what is shown, and what it holds now
 */

/** @param {HTMLElement} element @param {() => any} value @returns {AnswerField} */
const makeField = (element, value) => Object.defineProperty({ element, value: undefined }, "value", { get: value });

/** @param {string} label @param {Record<string, string>} [more] */
function makeTextInput(label, more = {}) {
  const text = /** @type {HTMLInputElement} */ (makeElement("input", { type: "text", maxlength: "500", autocomplete: "off", ...more }));
  return { text, label: makeElement("label", { class: "field" }, makeElement("span", {}, label), text) };
}

/** @param {Field} field */
export function makeAmountField(field) {
  const { text, label } = makeTextInput(field.label, { inputmode: "decimal", placeholder: "$", class: "amount" });
  return makeField(label, () => text.value.trim() || undefined);
}

/** @param {Field} field @param {Sheet} sheet */
export function makeWordsField(field, sheet) {
  const { text, label } = makeTextInput(field.optional ? `${field.label} (if you like)` : field.label);
  const chosen = sheet.phrases.map((phrase) => {
    const one = makeButton(phrase, () => {
      text.value = text.value.trim() ? `${text.value.trim()}, ${phrase}` : phrase;
      text.focus();
    });
    one.className = "phrase";
    return one;
  });
  const said = makeElement("div", { class: "said" }, label);
  void offerSpeech(text, label);
  if (chosen.length)
    said.append(makeElement("details", { class: "phrases" }, makeElement("summary", {}, "Choose the words"), makeElement("div", {}, ...chosen)));
  return makeField(said, () => text.value.trim() || undefined);
}

/** Speech, only where the device understands it by itself. @param {HTMLInputElement} text @param {HTMLElement} label */
async function offerSpeech(text, label) {
  const Recognition = /** @type {any} */ (window).SpeechRecognition;
  const there = await Recognition?.available?.({ langs: ["en-US"], processLocally: true }).catch(() => "unavailable");
  if (there !== "available") return;
  label.after(
    makeButton("Speak", () => {
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
export function makeChoiceField(field, sheet) {
  /** @type {string[]} */
  const choices = sheet.given.choices ?? [];
  const radios = choices.map((_, at) => /** @type {HTMLInputElement} */ (makeElement("input", { type: "radio", name: "choice", value: String(at) })));
  const labels = choices.map((data, at) => makeElement("label", { class: "choice" }, /** @type {HTMLInputElement} */ (radios[at]), makeElement("span", {}, data)));
  const group = makeElement("fieldset", { class: "choices-list", role: "radiogroup", "aria-labelledby": "ask" }, makeElement("legend", { class: "unseen" }, field.label), ...labels);
  group.addEventListener("keydown", (event) => {
    const radio = radios[Number(event.key) - 1];
    if (radio) {
      radio.checked = true;
      radio.focus();
    } else if (event.key === "Enter") group.closest("form")?.requestSubmit();
    else return;
    event.preventDefault();
  });
  return makeField(group, () => {
    const at = radios.findIndex((radio) => radio.checked);
    return at < 0 ? undefined : at;
  });
}

/** Amounts on the numbers; a number without one has none. @param {Field} field */
export function makeWagersField(field) {
  const boxes = (field.choices ?? []).map(([slug, name]) => ({ slug, ...makeTextInput(name, { inputmode: "decimal", placeholder: "$", class: "amount" }) }));
  const group = makeElement("fieldset", { class: "by-number" }, makeElement("legend", {}, field.label), ...boxes.map((one) => one.label));
  return makeField(group, () => {
    const given = boxes.map((one) => [one.slug, one.text.value.trim()]).filter(([, value]) => value);
    return given.length ? Object.fromEntries(given) : undefined;
  });
}

/** Steps as somebody did them: which of them are wrong. @param {Field} field @param {Sheet} sheet */
export function makeErrorsField(field, sheet) {
  const steps = [...sheet.steps, "Something is left out after the last step"];
  const ticks = steps.map((_, at) => /** @type {HTMLInputElement} */ (makeElement("input", { type: "checkbox", value: String(at + 1) })));
  const items = steps.map((data, at) =>
    makeElement("li", {}, makeElement("label", { class: "choice" }, /** @type {HTMLInputElement} */ (ticks[at]), makeElement("span", {}, `${at + 1}. ${data}`))),
  );
  const hint = makeElement("p", { class: "keys" }, "A step that is left out is ticked where it belongs.");
  const group = makeElement("fieldset", { class: "choices-list" }, makeElement("legend", {}, field.label), makeElement("ol", {}, ...items), hint);
  return makeField(group, () => {
    const found = ticks.filter((tick) => tick.checked).map((tick) => Number(tick.value));
    return found.length ? found : undefined;
  });
}
