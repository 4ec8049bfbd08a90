// @ts-check
/** What a post of the crew sees and does: the house's figures, buy-ins that wait, the work list. */

/** @param {string} name @param {string} words @param {string} [class_] */
function made(name, words, class_) {
  const found = document.createElement(name);
  found.textContent = words;
  if (class_) found.className = class_;
  return found;
}

/** @param {HTMLElement} place @param {any} sight @param {(line: string) => void} say */
export function showPost(place, sight, say) {
  place.hidden = sight.work === undefined;
  if (place.hidden) return;
  const post = sight.role === "surveillance" || sight.role === "operator" ? sight.role : `the ${sight.role}`;
  place.replaceChildren(made("h2", `You are ${post}`), figures(sight.house), ...asked(sight, say), ...dice(sight, say), work(sight.work));
}

/** @param {Record<string, string>} house */
function figures(house) {
  const list = document.createElement("dl");
  list.className = "figures";
  for (const [name, value] of Object.entries(house)) {
    list.append(made("dt", name), made("dd", `$${value}`));
  }
  return list;
}

/** Buy-ins that wait for the box. @param {any} sight @param {(line: string) => void} say */
function asked(sight, say) {
  return (sight.asking ?? []).map((/** @type {any} */ ask) => {
    const line = made("p", `${ask.name} asks for $${ask.amount} `);
    const yes = made("button", `Let ${ask.name} in`);
    const at = ask.place ? ` at ${ask.place}` : "";
    yes.addEventListener("click", () => say(`${ask.name} joins for ${ask.amount}${at}`));
    const no = made("button", "Decline");
    no.addEventListener("click", () => say(`${ask.name} buy-in declined`));
    line.append(yes, " ", no);
    return line;
  });
}

/** The dice that the stick types in. @param {any} sight @param {(line: string) => void} say */
function dice(sight, say) {
  if (sight.role !== "stick" || sight.dice !== "typed") return [];
  const group = document.createElement("fieldset");
  group.append(made("legend", "The dice show"));
  for (let first = 1; first <= 6; first += 1) {
    const row = document.createElement("div");
    for (let second = 1; second <= 6; second += 1) {
      const key = made("button", `${first} ${second}`);
      key.addEventListener("click", () => say(`roll ${first} ${second}`));
      row.append(key);
    }
    group.append(row);
  }
  return [group];
}

/** The work of the last throw, to tick off. @param {any[]} tasks */
function work(tasks) {
  const part = document.createElement("section");
  part.append(made("h3", "The work of the last throw"));
  const list = document.createElement("ol");
  for (const task of tasks) {
    const item = document.createElement("li");
    const label = document.createElement("label");
    const tick = document.createElement("input");
    tick.type = "checkbox";
    label.append(tick, made("span", ` ${task.by}: ${task.words} (${task.cite})`));
    item.append(label);
    list.append(item);
  }
  if (!tasks.length) part.append(made("p", "Nothing to do."));
  part.append(list);
  return part;
}
