// @ts-check
/** Money is cents inside and decimal strings outside, as everywhere. */

/** @param {string} dollars */
export function parseCents(dollars) {
  const [whole, part = ""] = dollars.replace(/[$,]/g, "").split(".");
  const sign = whole.startsWith("-") ? -1 : 1;
  return sign * (Math.abs(Number(whole)) * 100 + Number(part.padEnd(2, "0").slice(0, 2)));
}

/** @param {number} amount */
export function formatMoney(amount) {
  const sign = amount < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(amount) / 100).toLocaleString("en-US");
  const part = Math.abs(amount) % 100;
  return `${sign}$${whole}${part ? `.${String(part).padStart(2, "0")}` : ""}`;
}

/** As a line of a record has it. @param {number} amount */
export function formatAmount(amount) {
  const part = amount % 100;
  return `${Math.floor(amount / 100)}${part ? `.${String(part).padStart(2, "0")}` : ""}`;
}

/** The least amount that is taken and not less than what is wanted.
 * @param {number} wanted @param {{least: string, most: string, step: string}} limits */
export function roundToLimits(wanted, limits) {
  const least = parseCents(limits.least);
  const step = parseCents(limits.step) || 1;
  const amount = wanted <= least ? least : least + Math.ceil((wanted - least) / step) * step;
  return Math.min(amount, parseCents(limits.most));
}
