// SPDX-License-Identifier: BSD-3-Clause
// Sorts, filters and pages the table of all checks. Rows are made from columns of numbers,
// a page at a time, so that 100 000 checks stay quick.
"use strict";
(() => {
  const PAGE = 25;
  const data = JSON.parse(document.getElementById("data").textContent);
  const rows = data.rows;
  const size = rows.verdict.length;
  const table = document.getElementById("table");
  const body = table.tBodies[0];
  const form = document.getElementById("filters");
  const pages = document.getElementById("pages");
  const isMany = data.audits.length > 1;
  const text = (number) => (number < 0 ? "" : data.texts[number]);
  const problemName = (row) => {
    const [distribution, block] = data.problems[rows.problem[row]];
    return `${distribution}/b=${block}`;
  };

  // What the search looks through: one string for each pair of guideline and sides, and one
  // for each problem, instead of one for each row.
  const sides = new Map();
  const haystacks = { sides: [], ofRow: new Int32Array(size) };
  for (let row = 0; row < size; row += 1) {
    const key = `${rows.guideline[row]} ${rows.left[row]} ${rows.right[row]}`;
    if (!sides.has(key)) {
      sides.set(key, haystacks.sides.length);
      haystacks.sides.push([rows.guideline[row], rows.left[row], rows.right[row]]
        .map(text).join(" ").toLowerCase());
    }
    haystacks.ofRow[row] = sides.get(key);
  }
  const problemHaystacks = data.problems.map(
    ([distribution, block]) => `${distribution}/b=${block}`.toLowerCase());

  const state = { key: "verdict", direction: 1, page: 0, chosen: [], guideline: -1 };

  // A missing number sorts last in both directions.
  const numeric = (column) => (a, b) => {
    const x = column[a], y = column[b];
    if (x === null || y === null) return (x === null) - (y === null);
    return state.direction * (x - y) || a - b;
  };
  const textual = (strings) => (a, b) =>
    state.direction * strings(a).localeCompare(strings(b)) || a - b;
  const comparators = {
    verdict: numeric(rows.verdict), audit: numeric(rows.audit), low: numeric(rows.low),
    leftTime: numeric(rows.leftTime), rightTime: numeric(rows.rightTime),
    ratio: numeric(rows.ratio), evidence: numeric(rows.evidence), rounds: numeric(rows.rounds),
    guideline: textual((row) => haystacks.sides[haystacks.ofRow[row]]),
    problem: (a, b) => {
      const [first, firstSize] = data.problems[rows.problem[a]];
      const [second, secondSize] = data.problems[rows.problem[b]];
      return state.direction * (first.localeCompare(second) || firstSize - secondSize) || a - b;
    },
  };

  function filter() {
    const field = (name) => (form.elements[name] ? form.elements[name].value : "");
    const words = field("text").toLowerCase().split(/\s+/).filter(Boolean);
    const verdict = data.verdicts.indexOf(field("verdict"));
    const collective = data.texts.indexOf(field("collective"));
    const distribution = field("distribution");
    const least = parseFloat(field("ratio"));
    const audit = field("audit") === "" ? -1 : Number(field("audit"));
    const chosen = [];
    for (let row = 0; row < size; row += 1) {
      if (verdict >= 0 && rows.verdict[row] !== verdict) continue;
      if (collective >= 0 && rows.collective[row] !== collective) continue;
      if (distribution && data.problems[rows.problem[row]][0] !== distribution) continue;
      if (!Number.isNaN(least) && !(rows.ratio[row] >= least)) continue;
      if (audit >= 0 && rows.audit[row] !== audit) continue;
      if (state.guideline >= 0 && rows.guideline[row] !== state.guideline) continue;
      if (words.length) {
        const side = haystacks.sides[haystacks.ofRow[row]];
        const problem = problemHaystacks[rows.problem[row]];
        if (!words.every((word) => side.includes(word) || problem.includes(word))) continue;
      }
      chosen.push(row);
    }
    // The rows come in the order of severity, which is the ascending order of verdicts.
    if (state.key !== "verdict" || state.direction < 0) chosen.sort(comparators[state.key]);
    state.chosen = chosen;
    state.page = 0;
    draw();
  }

  function cell(row, content, className) {
    const element = row.insertCell();
    if (className) element.className = className;
    if (content instanceof Node) element.append(content);
    else element.textContent = content ?? "";
    return element;
  }

  function span(content, className) {
    const element = document.createElement(className === "small" ? "small" : "span");
    if (className !== "small") element.className = className;
    element.textContent = content;
    return element;
  }

  const ratioText = (value) => (value === null ? "" :
    value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
  const timeText = (value) => (value === null ? "" : value.toFixed(2));

  function details(row) {
    const parts = [];
    if (rows.reason[row] >= 0) parts.push(["Reason", text(rows.reason[row])]);
    if (rows.slower[row] !== null) {
      parts.push(["Evidence", `slower in ${rows.slower[row]} of ${rows.rounds[row]} rounds`]);
    }
    if (rows.advice[row] >= 0) parts.push(["Instead", text(rows.advice[row])]);
    if (rows.command[row] >= 0) {
      parts.push(["Repeat", data.commandPrefix + data.commands[rows.command[row]]]);
    }
    parts.push(["Total size", `${data.problems[rows.problem[row]][2]} bytes`]);
    return parts;
  }

  function toggle(button, line, row) {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    button.textContent = isOpen ? "+" : "−";
    if (isOpen) {
      line.nextSibling.remove();
      return;
    }
    const detail = body.insertRow(line.sectionRowIndex + 1);
    detail.className = "detail";
    const list = document.createElement("dl");
    for (const [name, content] of details(row)) {
      const term = document.createElement("dt");
      const description = document.createElement("dd");
      term.textContent = name;
      if (name === "Repeat") {
        const code = document.createElement("code");
        code.textContent = content;
        description.append(code);
      } else description.textContent = content;
      list.append(term, description);
    }
    cell(detail, list).colSpan = table.tHead.rows[0].cells.length;
  }

  function drawRow(row) {
    const line = body.insertRow();
    if (isMany) cell(line, data.audits[rows.audit[row]]);
    const verdict = data.verdicts[rows.verdict[row]];
    cell(line, span(verdict, `verdict ${verdict}`));
    const statement = cell(line, `${text(rows.left[row])} ≤ ${text(rows.right[row])}`);
    statement.append(" ", span(text(rows.guideline[row]), "small"));
    cell(line, problemName(row));
    cell(line, timeText(rows.leftTime[row]), "number");
    cell(line, timeText(rows.rightTime[row]), "number");
    cell(line, ratioText(rows.ratio[row]), "number");
    cell(line, rows.low[row] === null ? "" :
      `${ratioText(rows.low[row])}–${ratioText(rows.high[row])}`, "number");
    cell(line, rows.evidence[row] === null ? "" : rows.evidence[row].toFixed(1), "number");
    cell(line, rows.rounds[row], "number");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "more";
    button.textContent = "+";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", "Details");
    button.addEventListener("click", () => toggle(button, line, row));
    cell(line, button);
  }

  function draw() {
    const count = state.chosen.length;
    const last = Math.max(0, Math.ceil(count / PAGE) - 1);
    state.page = Math.min(Math.max(0, state.page), last);
    const start = state.page * PAGE;
    const end = Math.min(count, start + PAGE);
    body.replaceChildren();
    for (let index = start; index < end; index += 1) drawRow(state.chosen[index]);
    const guideline = state.guideline >= 0 ? ` of guideline ${text(state.guideline)}` : "";
    document.getElementById("count").textContent = count === 0
      ? `No check${guideline} is left by the filters.`
      : `Checks ${start + 1}–${end} of ${count}${guideline}` +
        (count < size ? ` (${size} in all)` : "");
    pages.hidden = last === 0;
    pages.querySelector("span").textContent = `Page ${state.page + 1} of ${last + 1}`;
    const [previous, next] = pages.querySelectorAll("button");
    previous.disabled = state.page === 0;
    next.disabled = state.page === last;
  }

  function fill(name, values) {
    for (const value of values) form.elements[name].add(new Option(value, value));
  }

  for (const header of table.tHead.rows[0].cells) {
    const key = header.dataset.key;
    if (!key) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      // Numbers are most interesting from the largest down.
      const first = ["verdict", "guideline", "problem", "audit"].includes(key) ? 1 : -1;
      state.direction = state.key === key ? -state.direction : first;
      state.key = key;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      header.setAttribute("aria-sort", state.direction > 0 ? "ascending" : "descending");
      filter();
    });
  }
  fill("collective", [...new Set(rows.collective)].map(text).sort());
  fill("distribution", [...new Set(data.problems.map((problem) => problem[0]))]);
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(filter, size > 5000 ? 150 : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    state.guideline = -1;
    setTimeout(filter, 0);
  });
  pages.addEventListener("click", (event) => {
    const step = Number(event.target.dataset.step);
    if (!step) return;
    state.page += step;
    draw();
    table.scrollIntoView();
  });
  for (const button of document.querySelectorAll("[data-guideline]")) {
    button.addEventListener("click", () => {
      state.guideline = data.texts.indexOf(button.dataset.guideline);
      filter();
      document.getElementById("checks").scrollIntoView();
    });
  }
  // A closed section prints as its heading only; paper cannot be unfolded.
  addEventListener("beforeprint", () => {
    for (const section of document.querySelectorAll("#collectives details")) section.open = true;
  });
  form.hidden = false;
  filter();
})();
