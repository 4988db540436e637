// SPDX-License-Identifier: BSD-3-Clause
// Sorts, filters and pages the table of all checks. Rows are made from columns of numbers,
// a page at a time, so that 100 000 checks stay quick. What is shown stands in the address:
// #checks?verdict=violated&check=3 filters, and opens the fourth row of the table's first order.
"use strict";
(async () => {
  const PAGE = 25;
  const packed = await fetch(`data:;base64,${document.getElementById("data").textContent}`);
  const data = await new Response(
    packed.body.pipeThrough(new DecompressionStream("gzip"))).json();
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
    const key = (rows.guideline[row] * data.texts.length + rows.left[row]) * data.texts.length
      + rows.right[row];
    if (!sides.has(key)) {
      sides.set(key, haystacks.sides.length);
      haystacks.sides.push([rows.guideline[row], rows.left[row], rows.right[row]]
        .map(text).join(" ").toLowerCase());
    }
    haystacks.ofRow[row] = sides.get(key);
  }
  const problemHaystacks = data.problems.map(
    ([distribution, block]) => `${distribution}/b=${block}`.toLowerCase());

  const state = { key: "verdict", direction: 1, page: 0, chosen: [], guideline: -1, open: -1 };
  const FILTERS = ["text", "about", "verdict", "collective", "distribution", "ratio", "audit"];
  const said = document.getElementById("said");
  const usual = { about: rows.about.includes(0) ? "0" : "" };

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
    ratio: numeric(rows.ratio), means: numeric(rows.means), evidence: numeric(rows.evidence), rounds: numeric(rows.rounds),
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
    const about = field("about") === "" ? -1 : Number(field("about"));
    const chosen = [];
    for (let row = 0; row < size; row += 1) {
      if (about >= 0 && rows.about[row] !== about) continue;
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

  // What the filters say, as it stands in the address.
  function remember() {
    const words = new URLSearchParams();
    for (const name of FILTERS) {
      const field = form.elements[name];
      if (field && field.value !== (usual[name] ?? "")) words.set(name, field.value);
    }
    if (state.guideline >= 0) words.set("guideline", text(state.guideline));
    if (state.key !== "verdict" || state.direction < 0) {
      words.set("sort", `${state.direction < 0 ? "-" : ""}${state.key}`);
    }
    history.replaceState(null, "", words.size ? `#checks?${words}` : "#checks");
  }

  function sortBy(key, direction) {
    state.key = key;
    state.direction = direction;
    for (const header of table.tHead.rows[0].cells) {
      if (header.dataset.key === key) {
        header.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      } else header.removeAttribute("aria-sort");
    }
  }

  function reset() {
    for (const name of FILTERS) {
      if (form.elements[name]) form.elements[name].value = usual[name] ?? "";
    }
    state.guideline = -1;
    state.open = -1;
    sortBy("verdict", 1);
  }

  function follow() {
    const [anchor, query] = location.hash.slice(1).split("?");
    const words = new URLSearchParams(query ?? "");
    const wanted = words.has("check") ? Number(words.get("check")) : -1;
    const row = Number.isInteger(wanted) && wanted >= 0 && wanted < size ? wanted : -1;
    if (anchor === "map" && row >= 0 && cells.has(row)) {
      reveal(cells.get(row));
      choose(cells.get(row));
    } else if (anchor === "checks" && query !== undefined) {
      reset();
      for (const name of FILTERS) {
        if (words.has(name) && form.elements[name]) form.elements[name].value = words.get(name);
      }
      if (words.has("guideline")) state.guideline = data.texts.indexOf(words.get("guideline"));
      const sort = words.get("sort") ?? "";
      if (sort.replace("-", "") in comparators) sortBy(sort.replace("-", ""), sort.startsWith("-") ? -1 : 1);
      if (row >= 0 && !words.has("about")) form.elements.about.value = String(rows.about[row]);
      state.open = row;
      filter();
      const index = state.chosen.indexOf(row);
      if (index >= 0) {
        state.page = Math.floor(index / PAGE);
        draw();
        const line = document.getElementById("opened");
        line.querySelector("button").focus({ preventScroll: true });
        line.scrollIntoView({ block: "start" });
      } else document.getElementById("checks").scrollIntoView();
    } else if (anchor) {
      const target = document.getElementById(anchor);
      if (!target) return;
      reveal(target);
      target.scrollIntoView();
      if (target.tabIndex === -1) target.focus({ preventScroll: true });
    }
  }

  function reveal(target) {
    for (let each = target; each; each = each.parentElement) {
      if (each.tagName === "DETAILS") each.open = true;
    }
  }

  // Heat maps: one stop of the tab key each, arrow keys inside; a cell leads to its check.
  const cells = new Map();
  const rowOf = new Map();
  function choose(cell) {
    const map = cell.closest("table");
    for (const other of map.querySelectorAll("td[tabindex='0']")) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
  function neighbour(cell, key) {
    const line = cell.parentElement;
    const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1],
      ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity] }[key] ?? [0, 0];
    const lines = line.parentElement.rows;
    if (!Number.isFinite(right)) {
      const known = [...line.cells].filter((each) => rowOf.has(each));
      return right < 0 ? known[0] : known[known.length - 1];
    }
    let row = line.sectionRowIndex + down, column = cell.cellIndex + right;
    while ((down || right) && lines[row] && lines[row].cells[column]) {
      if (rowOf.has(lines[row].cells[column])) return lines[row].cells[column];
      row += down;
      column += right;
    }
    return null;
  }
  function prepareMaps() {
    const found = new Map();
    for (let row = 0; row < size; row += 1) {
      const key = `${rows.audit[row]} ${text(rows.guideline[row])} ${problemName(row)}`;
      if (!found.has(key)) found.set(key, row);
    }
    for (const map of document.querySelectorAll("table.map")) {
      const problems = [...map.tHead.rows[1].cells].map((header) => header.dataset.problem);
      let isFirst = true;
      for (const line of map.tBodies[0].rows) {
        const guideline = line.querySelector("button").dataset.guideline;
        for (const each of line.cells) {
          const row = found.get(`${map.dataset.audit} ${guideline} ${problems[each.cellIndex]}`);
          if (row === undefined || !each.title) continue;
          cells.set(row, each);
          rowOf.set(each, row);
          each.tabIndex = isFirst ? 0 : -1;
          isFirst = false;
        }
      }
      map.addEventListener("click", (event) => {
        const row = rowOf.get(event.target);
        if (row !== undefined) location.hash = `#checks?check=${row}`;
      });
      map.addEventListener("focusin", (event) => {
        if (rowOf.has(event.target)) event.target.setAttribute("aria-label", event.target.title);
      });
      map.addEventListener("keydown", (event) => {
        const row = rowOf.get(event.target);
        if (row === undefined) return;
        if (event.key === "Enter" || event.key === " ") {
          location.hash = `#checks?check=${row}`;
        } else {
          const next = neighbour(event.target, event.key);
          if (!next) return;
          choose(next);
        }
        event.preventDefault();
      });
    }
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
  // The same digits as in the tables, see units.py.
  const timeText = (value) => {
    if (value === null) return "";
    for (const [limit, digits] of [[9.9995, 3], [99.995, 2], [999.95, 1], [99999.5, 0]]) {
      if (value < limit) return value.toFixed(digits);
    }
    return value < 999.5e3 ? `${(value / 1e3).toFixed(0)}k` : `${Number((value / 1e6).toPrecision(3))}M`;
  };
  const statement = (row) => `${text(rows.left[row])} ≤ ${text(rows.right[row])}`;
  const place = (row) => `${problemName(row)}${isMany ? `, audit ${rows.audit[row] + 1}` : ""}`;

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  }

  // Lines break between words: one that ends within --block-sizes reads as another option.
  function asWords(content) {
    return content.split(/(\s+)/).filter(Boolean).map((part) =>
      /\s/.test(part) ? part : element("span", { class: "word" }, part));
  }

  // A text of a command with the button that copies all of it.
  function command(content, what) {
    const box = element("div", { class: "command" },
      element("pre", {}, element("code", {}, ...asWords(content))),
      element("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy"));
    return box;
  }

  // Code keeps its lines, so that they can be pasted.
  function program(content, what) {
    return element("div", { class: "program" },
      element("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": what },
        element("pre", {}, element("code", {}, content))),
      element("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy"));
  }

  async function copy(button) {
    const content = button.parentElement.querySelector("code").textContent;
    try {
      await navigator.clipboard.writeText(content);
    } catch {
      // A page from a file, or one without the permission.
      const area = element("textarea", { class: "unseen" });
      area.value = content;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = "Copied";
    said.textContent = `Copied: ${content}`;
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }

  const SVG = "http://www.w3.org/2000/svg";
  function drawn(name, attributes, content = "") {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = content;
    return made;
  }

  // Round numbers in a range, as pictures.log_ticks has them.
  function ticksOf(low, high) {
    const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high));
    for (const steps of [[1], [1, 2, 5], [1, 1.2, 1.5, 2, 3, 5, 7]]) {
      const found = [];
      for (let decade = first; decade <= last; decade += 1) {
        for (const step of steps) {
          const value = step * 10 ** decade;
          if (value >= low && value <= high) found.push(value);
        }
      }
      if (found.length >= 3) return found.filter((_, index) => index % Math.ceil(found.length / 6) === 0);
    }
    return [low, Math.sqrt(low * high), high];
  }

  const WIDTH = 340, HEIGHT = 170, LEFT = 46, BOTTOM = 34, TOP = 20;
  function plot(label, title) {
    const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
    svg.append(drawn("text", { x: LEFT, y: 12, class: "title" }, title),
      drawn("path", { class: "axis", d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - 6}` }));
    return svg;
  }
  const across = (share) => LEFT + share * (WIDTH - LEFT - 8);
  const up = (share) => HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
  const logarithmic = (low, high) => (value) =>
    (Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low) || 1);

  // How many samples took no longer than a time, both sides.
  function distributions(sides, row) {
    const everything = sides.flatMap(([, values]) => values).filter((value) => value > 0);
    if (!everything.length) return null;
    const low = 0.95 * everything.reduce((a, b) => Math.min(a, b));
    const high = 1.05 * everything.reduce((a, b) => Math.max(a, b));
    const scale = logarithmic(low, high);
    const svg = plot(`Distribution of the samples of ${statement(row)}`, "samples not slower [%] over time [µs]");
    for (const value of ticksOf(low, high)) {
      svg.append(drawn("text", { x: across(scale(value)), y: HEIGHT - BOTTOM + 13, class: "tick middle" },
        String(Number(value.toPrecision(3)))));
    }
    for (const share of [0, 0.5, 1]) {
      svg.append(drawn("text", { x: LEFT - 5, y: up(share) + 4, class: "tick end" }, String(100 * share)));
    }
    sides.forEach(([name, values], index) => {
      const ordered = values.filter((value) => value > 0).sort((a, b) => a - b);
      let path = "";
      ordered.forEach((value, number) => {
        const x = across(scale(value)).toFixed(1);
        path += `${number ? "H" : `M${x} ${up(0)}L`}${x}${number ? "" : ` ${up(0)}`}V${up((number + 1) / ordered.length).toFixed(1)}`;
      });
      svg.append(drawn("path", { class: `side${index}`, d: path }));
      svg.append(drawn("text", { x: LEFT + 4 + index * 145, y: HEIGHT - 5, class: `tick name${index}` },
        `${index ? "╌" : "━"} ${name.length > 22 ? `${name.slice(0, 21)}…` : name}`));
    });
    return svg;
  }

  // The ratio of every round, with the tolerance.
  function ratios(sides, row) {
    const [[, left], [, right]] = sides;
    const values = left.slice(0, right.length).map((value, index) => value / right[index])
      .filter((value) => value > 0 && Number.isFinite(value));
    if (!values.length) return null;
    const limit = 1 + data.tolerances[rows.audit[row]];
    const low = 0.95 * values.reduce((a, b) => Math.min(a, b), 0.9);
    const high = 1.05 * values.reduce((a, b) => Math.max(a, b), 1.2);
    const scale = logarithmic(low, high);
    const svg = plot(`Ratio of every round of ${statement(row)}`, "left / right over rounds");
    for (const value of ticksOf(low, high)) {
      svg.append(drawn("text", { x: LEFT - 5, y: up(scale(value)) + 4, class: "tick end" }, ratioText(value)));
    }
    svg.append(drawn("path", { class: "limit", d: `M${LEFT} ${up(scale(limit))}H${WIDTH - 6}` }));
    values.forEach((value, index) => svg.append(drawn("circle", {
      cx: across((index + 0.5) / values.length).toFixed(1), cy: up(scale(value)).toFixed(1), r: 2,
      class: value > limit ? "slower" : "faster" })));
    svg.append(drawn("text", { x: LEFT, y: HEIGHT - BOTTOM + 13, class: "tick" }, "1"),
      drawn("text", { x: WIDTH - 8, y: HEIGHT - BOTTOM + 13, class: "tick end" }, String(values.length)),
      drawn("text", { x: LEFT + 4, y: HEIGHT - 5, class: "tick" }, "dashed: 1 + tolerance"));
    return svg;
  }

  function samplesOf(row) {
    const found = data.samples[rows.problem[row]];
    const sides = [rows.left[row], rows.right[row]].map((side) => [text(side), found && found[side]]);
    if (!sides.every(([, values]) => values)) return null;
    const pictures = [distributions(sides, row), ratios(sides, row)].filter(Boolean);
    return element("div", { class: "samples" }, ...pictures);
  }

  function launchesOf(row) {
    const said = data.launches[row];
    if (!said) return null;
    const list = element("ul", { class: "launches" });
    for (const [launch, verdict, rounds, ratio, low, high] of said) {
      const interval = low === null ? "" : ` [${ratioText(low)}, ${ratioText(high)}]`;
      list.append(element("li", {}, `launch ${launch}: `,
        span(data.verdicts[verdict], `verdict ${data.verdicts[verdict]}`),
        `, ratio ${ratio === null ? "unknown" : ratioText(ratio)}${interval}, ${rounds} rounds`));
    }
    return list;
  }

  function linksOf(row) {
    const links = element("span", { class: "links" });
    const collective = text(rows.collective[row]);
    if (data.pictured.some(([audit, name]) => audit === rows.audit[row] && name === collective)) {
      const slug = collective.replace(/[^A-Za-z0-9]+/g, "-");
      links.append(element("a", { href: `#curves-${rows.audit[row]}-${slug}`,
        "aria-label": `Curves of ${collective}, for ${statement(row)} on ${place(row)}` }, "Curves"), " ");
    }
    if (cells.has(row)) links.append(element("a", { href: `#map?check=${row}`,
      "aria-label": `Heat map cell of ${statement(row)} on ${place(row)}` }, "Heat map"), " ");
    links.append(element("a", { href: `#checks?check=${row}`,
      "aria-label": `Address of ${statement(row)} on ${place(row)}` }, "Address"));
    return links;
  }

  function details(row) {
    const parts = [];
    const add = (name, content) => { if (content) parts.push([name, content]); };
    if (rows.about[row]) add("Remark", "about a reference algorithm that comes with mpiaudit, no verdict on the library");
    add("Reason", text(rows.reason[row]));
    if (rows.slower[row] !== null) {
      add("Evidence", `slower in ${rows.slower[row]} of ${rows.rounds[row]} rounds` +
        (rows.low[row] === null ? "" : `, ratio ${ratioText(rows.ratio[row])} [${ratioText(rows.low[row])}, ${ratioText(rows.high[row])}]`));
    }
    if (rows.means[row] !== null) {
      add("By means", `${data.verdicts[rows.means[row]]}, within Tukey's fences`);
    }
    add("Launches", launchesOf(row));
    const remedy = data.remedies[row];
    if (remedy) {
      const [way, factor, saved, code] = remedy;
      add("Instead", `${text(way)}, ${ratioText(factor)} times as fast, saves ${timeText(saved)} µs per call`);
      if (code >= 0) add("Code", program(text(code), `the code for ${statement(row)} on ${place(row)}`));
    }
    add(remedy ? "Advice" : "Instead", text(rows.advice[row]));
    if (rows.command[row] >= 0) {
      add("Repeat", command(data.commandPrefix + data.commands[rows.command[row]],
        `the command for ${statement(row)} on ${place(row)}`));
    }
    add("Total size", `${data.problems[rows.problem[row]][2]} bytes`);
    add("Samples", samplesOf(row));
    add("See", linksOf(row));
    return parts;
  }

  function toggle(button, line, row) {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!isOpen));
    button.textContent = isOpen ? "+" : "−";
    state.open = isOpen ? -1 : row;
    if (isOpen) {
      line.nextSibling.remove();
      return;
    }
    const detail = body.insertRow(line.sectionRowIndex + 1);
    detail.className = "detail";
    const list = document.createElement("dl");
    for (const [name, content] of details(row)) {
      list.append(element("dt", {}, name), element("dd", {}, content));
    }
    cell(detail, list).colSpan = table.tHead.rows[0].cells.length;
  }

  function drawRow(row) {
    const line = body.insertRow();
    if (isMany) cell(line, data.audits[rows.audit[row]]);
    const verdict = data.verdicts[rows.verdict[row]];
    cell(line, span(verdict, `verdict ${verdict}`));
    cell(line, statement(row)).append(" ", span(text(rows.guideline[row]), "small"));
    cell(line, problemName(row));
    cell(line, timeText(rows.leftTime[row]), "number");
    cell(line, timeText(rows.rightTime[row]), "number");
    cell(line, ratioText(rows.ratio[row]), "number");
    cell(line, rows.low[row] === null ? "" :
      `${ratioText(rows.low[row])}–${ratioText(rows.high[row])}`, "number wide");
    cell(line, rows.means[row] === null ? "" : data.verdicts[rows.means[row]], "wide");
    cell(line, rows.evidence[row] === null ? "" : rows.evidence[row].toFixed(1), "number wide");
    cell(line, rows.rounds[row], "number wide");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "more";
    button.textContent = "+";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", `Details of ${statement(row)} on ${place(row)}, ${text(rows.guideline[row])}`);
    button.addEventListener("click", () => toggle(button, line, row));
    cell(line, button);
    if (row === state.open) {
      line.id = "opened";
      toggle(button, line, row);
    }
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
      sortBy(key, state.key === key ? -state.direction : first);
      filter();
      remember();
    });
  }
  fill("collective", [...new Set(rows.collective)].map(text).sort());
  fill("distribution", [...new Set(data.problems.map((problem) => problem[0]))]);
  let timer = 0;
  const refilter = () => {
    state.open = -1;
    filter();
    remember();
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(refilter, size > 5000 ? 150 : 0);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => {
    reset();
    refilter();
  }, 0));
  pages.addEventListener("click", (event) => {
    const step = Number(event.target.dataset.step);
    if (!step) return;
    state.page += step;
    draw();
    table.scrollIntoView();
  });
  for (const button of document.querySelectorAll("[data-guideline]")) {
    button.addEventListener("click", () => {
      const { audit, kind } = button.closest("table").dataset;
      reset();
      state.guideline = data.texts.indexOf(button.dataset.guideline);
      form.elements.about.value = kind === "remark" ? "1" : "0";
      if (isMany) form.elements.audit.value = audit;
      refilter();
      document.getElementById("checks").scrollIntoView();
    });
  }
  // A closed section prints as its heading only; paper cannot be unfolded.
  addEventListener("beforeprint", () => {
    for (const section of document.querySelectorAll("#collectives details")) section.open = true;
  });
  addEventListener("hashchange", follow);
  document.addEventListener("click", (event) => {
    if (event.target.matches?.(".copy")) copy(event.target);
    // A link to where the page is already makes no hashchange.
    const link = event.target.closest?.("a[href^='#']");
    if (link && link.hash === location.hash) follow();
  });
  for (const button of document.querySelectorAll(".copy")) button.hidden = false;
  for (const code of document.querySelectorAll(".command code")) {
    code.replaceChildren(...asWords(code.textContent));
  }
  form.hidden = false;
  prepareMaps();
  reset();
  filter();
  if (location.hash) follow();
})();
