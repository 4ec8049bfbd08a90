// @ts-check
/** Money is cents inside and decimal strings outside, as everywhere. */

/** @param {string} dollars */
export function cents(dollars) {
  const [whole, part = ""] = dollars.replace(/[$,]/g, "").split(".");
  const sign = whole.startsWith("-") ? -1 : 1;
  return sign * (Math.abs(Number(whole)) * 100 + Number(part.padEnd(2, "0").slice(0, 2)));
}

/** @param {number} amount */
export function shown(amount) {
  const sign = amount < 0 ? "-" : "";
  const whole = Math.floor(Math.abs(amount) / 100).toLocaleString("en-US");
  const part = Math.abs(amount) % 100;
  return `${sign}$${whole}${part ? `.${String(part).padStart(2, "0")}` : ""}`;
}

/** As a line of a record has it. @param {number} amount */
export function said(amount) {
  const part = amount % 100;
  return `${Math.floor(amount / 100)}${part ? `.${String(part).padStart(2, "0")}` : ""}`;
}

/** The least amount that is taken and not less than what is wanted.
 * @param {number} wanted @param {{least: string, most: string, step: string}} limits */
export function rightAmount(wanted, limits) {
  const least = cents(limits.least);
  const step = cents(limits.step) || 1;
  const amount = wanted <= least ? least : least + Math.ceil((wanted - least) / step) * step;
  return Math.min(amount, cents(limits.most));
}
