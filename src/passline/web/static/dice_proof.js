// @ts-check
/** The proof of a throw of the house's dice, and a button that checks it in this browser. */

import { makeButton, makeElement } from "./dom.js";

/** @typedef {{commit: string, fresh: boolean, number: number, secret: string, nonce: string}} Proof */

/** Only bytes below this count, so that all faces are equally likely. */
const FAIR_BYTE_LIMIT = 252;

/** Return the proof at a moment of a replay, with its button. @param {any} moment */
export function makeProof(moment) {
  /** @type {Proof | null} */
  const proof = moment.proof;
  if (!proof) return makeElement("p", { class: "quiet" }, "No throw of the house's dice at this moment.");
  /** @type {[string, string | HTMLElement][]} */
  const facts = [
    ["Committed to before", makeCode(proof.commit)],
    ["Secret revealed", makeCode(proof.secret)],
    ["Shooter's nonce", proof.nonce ? makeCode(proof.nonce) : "none: the house could have chosen this throw"],
    ["Number of the throw", String(proof.number)],
  ];
  const list = makeElement("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [makeElement("dt", {}, name), makeElement("dd", {}, value)]));
  if (proof.fresh) list.append(makeElement("dt", {}, "Fresh commitment"), makeElement("dd", {}, "the house replaced the one that came with the throw before, perhaps after it had seen the nonce"));
  const result = makeElement("p", { role: "status", "aria-label": "Proof" });
  const button = makeButton("Check this throw", () => void showCheck(result, moment, proof));
  return makeElement("div", { class: "proof" }, list, makeElement("p", {}, button), result);
}

/** @param {string} text */
const makeCode = (text) => makeElement("code", {}, text);

/** @param {HTMLElement} place @param {any} moment @param {Proof} proof */
async function showCheck(place, moment, proof) {
  place.textContent = await describeCheck(moment, proof);
}

/** Check a throw, and return the result in words. @param {any} moment @param {Proof} proof */
async function describeCheck(moment, proof) {
  if (!globalThis.crypto?.subtle) {
    return "This browser computes hashes only on https pages and on this machine. Download the log and run passline audit instead.";
  }
  const secret = fromHex(proof.secret);
  const commit = toHex(await crypto.subtle.digest("SHA-256", secret));
  if (commit !== proof.commit) return "Wrong: the secret is not the one that was committed to.";
  const faces = await deriveFaces(secret, `${moment.table}:${proof.number}:${proof.nonce}`);
  const thrown = moment.throw?.dice ?? [];
  if (faces.join() !== thrown.join()) return `Wrong: the secret gives ${faces.join("-")}, not ${thrown.join("-")}.`;
  return `Right: the secret is the one that was committed to, and it gives ${faces.join("-")}.`;
}

/** Return the two faces of a throw: the first two bytes below 252 of HMAC-SHA256(secret, message + ":0"), then
 * ":1" and so on, each mod 6 plus 1. @param {Uint8Array<ArrayBuffer>} secret @param {string} message */
async function deriveFaces(secret, message) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  /** @type {number[]} */
  const faces = [];
  for (let turn = 0; faces.length < 2; turn += 1) {
    const data = new TextEncoder().encode(`${message}:${turn}`);
    for (const byte of new Uint8Array(await crypto.subtle.sign("HMAC", key, data))) {
      if (byte < FAIR_BYTE_LIMIT && faces.length < 2) faces.push((byte % 6) + 1);
    }
  }
  return faces;
}

/** @param {string} text */
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {ArrayBuffer} data */
const toHex = (data) => [...new Uint8Array(data)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
