// @ts-check
/** Speech as table talk, where the browser understands it by itself. Most send what they hear to
 * another host: they are not asked. `Speak` is offered only where recognition on the device is. */

import { box, button } from "./dom.js";

/** @param {import("./table.js").TablePage} page */
export async function offerSpeech(page) {
  const Recognition = /** @type {any} */ (window).SpeechRecognition;
  const asked = { langs: ["en-US"], processLocally: true };
  const there = await Recognition?.available?.(asked).catch(() => "unavailable");
  if (there !== "available") return;
  const speak = button("speak");
  speak.hidden = false;
  speak.addEventListener("click", () => {
    const ear = new Recognition();
    ear.lang = "en-US";
    ear.processLocally = true;
    ear.onresult = (/** @type {any} */ heard) => {
      const words = heard.results[0]?.[0]?.transcript ?? "";
      box("say").value = words;
      if (words) void page.betting.say(words);
    };
    ear.onerror = (/** @type {any} */ wrong) => page.telling.note(`Nothing was understood: ${wrong.error}.`);
    ear.start();
    page.telling.note("Speak now.");
  });
}
