// @ts-check
/** The sounds of the table: dice, chips and the stick. They are computed here, so nothing is loaded. A
 * browser plays no sound before a first gesture, so the audio context is made at that moment. */

import { buttonById, inputById, localStore } from "./dom.js";

/** Loudness of all sounds together. */
const VOLUME = 0.5;

/** Plays the sounds, unless they are off. */
export class Sounds {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {AudioNode | null} */
  #out = null;
  /** @type {AudioBuffer | null} */
  #noise = null;

  constructor() {
    this.button = buttonById("sound");
    this.button.addEventListener("click", () => this.toggle());
    this.setting = inputById("sound-setting"); // The same in the settings.
    this.setting.addEventListener("change", () => this.toggle());
    this.#showState();
    for (const gesture of ["pointerdown", "keydown"]) {
      window.addEventListener(gesture, () => this.on && this.#wake(), { capture: true, passive: true });
    }
  }

  /** What this player has on the felt, and the last throw, as the page showed them. */
  #shown = { up: "", seq: 0 };

  /** Play chips if this player's bets changed without a throw. @param {any} state */
  update(state) {
    const now = { up: state.seat?.up ?? "", seq: state.last?.seq ?? 0 };
    if (this.#shown.up && now.up !== this.#shown.up && now.seq === this.#shown.seq) this.chips();
    this.#shown = now;
  }

  get on() {
    return localStore.get("sound", "on") === "on";
  }

  /** Turn the sounds on or off, and store that in this browser. */
  toggle() {
    localStore.put("sound", this.on ? "off" : "on");
    this.#showState();
    if (!this.on) return void this.#context?.suspend();
    this.#wake();
    this.chips();
    return undefined;
  }

  #showState() {
    this.button.setAttribute("aria-pressed", String(this.on));
    this.setting.checked = this.on;
  }

  /** Make the audio context, or wake it. Call this only during a gesture. */
  #wake() {
    try {
      this.#context ??= this.#open();
      if (this.#context.state === "suspended") void this.#context.resume().catch(() => undefined);
    } catch {
      this.#context = null; // This device has no sound.
    }
  }

  #open() {
    const context = new AudioContext();
    const volume = new GainNode(context, { gain: VOLUME });
    volume.connect(new DynamicsCompressorNode(context)).connect(context.destination);
    this.#out = volume;
    this.#noise = new AudioBuffer({ length: context.sampleRate / 4, sampleRate: context.sampleRate });
    const samples = this.#noise.getChannelData(0);
    for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
    return context;
  }

  /** Play the dice against the wall and then on the felt. @param {number[]} hits seconds from now; the first is the wall */
  dice(hits) {
    hits.forEach((at, index) => {
      const loud = index ? 0.5 / index : 0.9;
      for (const late of [0, 0.03 + Math.random() * 0.05]) {
        this.#burst(at + late, { frequency: 1700 + Math.random() * 900, width: 1.6, seconds: 0.05, loud });
        if (!index) this.#tone(at + late, { frequency: 170, seconds: 0.09, loud: 0.5 });
      }
    });
  }

  /** Play chips that are put down. */
  chips() {
    [0, 0.07, 0.12].forEach((at, index) => {
      const pitch = 3900 + Math.random() * 700;
      this.#burst(at, { frequency: pitch, width: 6, seconds: 0.035, loud: 0.5 - index * 0.12 });
      this.#tone(at, { frequency: pitch * 1.31, seconds: 0.06, loud: 0.06 });
    });
  }

  /** Play the stick, tapped on the felt. */
  stick() {
    for (const at of [0, 0.14]) {
      this.#tone(at, { frequency: 780, seconds: 0.06, loud: 0.25 });
      this.#burst(at, { frequency: 1100, width: 3, seconds: 0.03, loud: 0.4 });
    }
  }

  /** Whether a sound would be heard now. */
  get #ready() {
    return this.on && !document.hidden && this.#context?.state === "running";
  }

  /** Play a short noise. @param {number} wait @param {{frequency: number, width: number, seconds: number, loud: number}} sound */
  #burst(wait, { frequency, width, seconds, loud }) {
    if (!this.#ready || !this.#context || !this.#out) return;
    const source = new AudioBufferSourceNode(this.#context, { buffer: this.#noise });
    const filter = new BiquadFilterNode(this.#context, { type: "bandpass", frequency, Q: width });
    const begin = this.#context.currentTime + wait;
    source.connect(filter).connect(this.#fade(begin, seconds, loud)).connect(this.#out);
    source.start(begin, Math.random() * 0.1, seconds);
  }

  /** Play a short tone. @param {number} wait @param {{frequency: number, seconds: number, loud: number}} sound */
  #tone(wait, { frequency, seconds, loud }) {
    if (!this.#ready || !this.#context || !this.#out) return;
    const source = new OscillatorNode(this.#context, { frequency });
    const begin = this.#context.currentTime + wait;
    source.connect(this.#fade(begin, seconds, loud)).connect(this.#out);
    source.start(begin);
    source.stop(begin + seconds);
  }

  /** Return a node that fades a sound out. @param {number} begin @param {number} seconds @param {number} loud */
  #fade(begin, seconds, loud) {
    const gain = new GainNode(/** @type {AudioContext} */ (this.#context), { gain: 0 });
    gain.gain.setValueAtTime(loud, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
    return gain;
  }
}
