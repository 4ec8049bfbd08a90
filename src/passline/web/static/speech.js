// @ts-check
/** Speech input. Most browsers send speech to another host; the button `Speak` is shown only where the
 * device recognizes speech itself. */

import { buttonById, inputById } from "./dom.js";

/** Return a function that listens once, or null if this device cannot recognize speech.
 * @param {(words: string) => void} onWords @param {(error: string) => void} [onError]
 * @returns {Promise<(() => void) | null>} */
export async function makeSpeechInput(onWords, onError) {
  const Recognition = /** @type {any} */ (window).SpeechRecognition;
  const options = { langs: ["en-US"], processLocally: true };
  const availability = await Recognition?.available?.(options).catch(() => "unavailable");
  if (availability !== "available") return null;
  return () => {
    const recognition = new Recognition();
    recognition.lang = "en-US";
    recognition.processLocally = true;
    recognition.onresult = (/** @type {any} */ event) => onWords(event.results[0]?.[0]?.transcript ?? "");
    recognition.onerror = (/** @type {any} */ event) => onError?.(event.error);
    recognition.start();
  };
}

/** Show the button `Speak` of the table page, which sends what was said.
 * @param {import("./table.js").TablePage} page */
export async function offerSpeech(page) {
  const listen = await makeSpeechInput(
    (words) => {
      inputById("say").value = words;
      if (words) void page.bets.say(words);
    },
    () => page.messages.showNote("Your speech was not understood. Try again."),
  );
  if (!listen) return;
  const speak = buttonById("speak");
  speak.hidden = false;
  speak.addEventListener("click", () => {
    listen();
    page.messages.showNote("Speak now.");
  });
}
