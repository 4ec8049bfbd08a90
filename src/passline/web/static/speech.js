// @ts-check
/** Speech input for table talk. Most browsers send speech to another host; the button `Speak` is shown
 * only where the device recognizes speech itself. */

import { buttonById, inputById } from "./dom.js";

/** @param {import("./table.js").TablePage} page */
export async function offerSpeech(page) {
  const Recognition = /** @type {any} */ (window).SpeechRecognition;
  const asked = { langs: ["en-US"], processLocally: true };
  const there = await Recognition?.available?.(asked).catch(() => "unavailable");
  if (there !== "available") return;
  const speak = buttonById("speak");
  speak.hidden = false;
  speak.addEventListener("click", () => {
    const ear = new Recognition();
    ear.lang = "en-US";
    ear.processLocally = true;
    ear.onresult = (/** @type {any} */ heard) => {
      const words = heard.results[0]?.[0]?.transcript ?? "";
      inputById("say").value = words;
      if (words) void page.bets.say(words);
    };
    ear.onerror = (/** @type {any} */ error) => page.messages.showNote(`Nothing was understood: ${error.error}.`);
    ear.start();
    page.messages.showNote("Speak now.");
  });
}
