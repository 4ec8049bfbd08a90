// @ts-check
/** Money: whole cents inside the scripts, decimal strings ("12.50") in JSON and in lines, and
 * "$12.50" on the page. Pure functions. */

/** Return the cents of an amount such as "12.50", "-3" or "$1,200". @param {string} dollars */
export function parseCents(dollars) {
  const [whole, part = ""] = dollars.replace(/[$,]/g, "").split(".");
  const sign = whole.startsWith("-") ? -1 : 1;
  return sign * (Math.abs(Number(whole)) * 100 + Number(part.padEnd(2, "0").slice(0, 2)));
}

/** Return cents as people read them: "$1,200", "$12.50", "−$3"; with `signed`, "+$3" too.
 * @param {number} cents @param {boolean} [signed] */
export function formatMoney(cents, signed = false) {
  const sign = cents < 0 ? "−" : signed && cents > 0 ? "+" : "";
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-US");
  return `${sign}$${whole}${formatFraction(Math.abs(cents) % 100)}`;
}

/** Return an amount of the server's JSON as people read it. @param {string} dollars @param {boolean} [signed] */
export const formatDollars = (dollars, signed = false) => formatMoney(parseCents(dollars), signed);

/** Return an average with its sign and always two decimals: "+$0.20", "−$1.00", "$0.00". @param {number} dollars */
export function formatAverage(dollars) {
  const amount = Math.abs(dollars).toFixed(2);
  if (amount === "0.00") return "$0.00";
  return `${dollars < 0 ? "−" : "+"}$${amount}`;
}

/** Return whole dollars for a narrow cell: "+105", "−1.2k". @param {number} cents */
export function formatShort(cents) {
  const sign = cents < 0 ? "−" : "+";
  const dollars = Math.trunc(Math.abs(cents) / 100);
  return dollars < 1000 ? `${sign}${dollars}` : `${sign}${dollars < 10_000 ? (dollars / 1000).toFixed(1) : Math.trunc(dollars / 1000)}k`;
}

/** Return cents as a line of a record has them: "1200", "12.50". @param {number} cents */
export const formatAmount = (cents) => `${Math.floor(cents / 100)}${formatFraction(cents % 100)}`;

/** @param {number} cents */
const formatFraction = (cents) => (cents ? `.${String(cents).padStart(2, "0")}` : "");

/** Return the smallest amount that the limits allow and that is not below `wanted`, or their maximum.
 * @param {number} wanted @param {{least: string, most: string, step: string}} limits @param {(steps: number) => number} [round] */
export function roundToLimits(wanted, limits, round = Math.ceil) {
  const least = parseCents(limits.least);
  const step = parseCents(limits.step) || 1;
  const amount = wanted <= least ? least : least + round((wanted - least) / step) * step;
  return Math.min(amount, parseCents(limits.most));
}

/** Return a house edge for people: the exact fraction if it is short, and the percentage.
 * @param {string} edge @param {string} percent */
export function describeEdge(edge, percent) {
  if (edge === "0") return "none: it pays true odds";
  return edge.length > 12 ? percent : `${edge}, ${percent}`;
}
