// SPDX-License-Identifier: BSD-3-Clause
// The table that the page opens with: a click on a row opens its explanation, a click on a column sorts the
// rows; other forms stay behind blocking operations. Without this script each explanation opens by itself.
"use strict";
(() => {
  const table = document.getElementById("rows");
  if (!table) return;
  const detailsOf = (row) => row.nextElementSibling.querySelector("details");
  const linkOf = (row) => row.querySelector(".code a");

  for (const row of table.querySelectorAll(".row")) {
    const details = detailsOf(row), link = linkOf(row);
    link.setAttribute("aria-expanded", "false");
    details.addEventListener("toggle", () => link.setAttribute("aria-expanded", String(details.open)));
    row.addEventListener("click", (event) => {
      if (String(getSelection()) && !event.target.closest("a")) return;
      event.preventDefault();
      details.open = !details.open;
    });
  }

  // Numbers are most interesting from the largest down. What has no number stands last.
  const textual = ["operation", "audit", "advice"];
  const valueOf = (row, key) => {
    const cell = row.querySelector(`.${key}`);
    if (key === "code") return Number(cell.textContent.slice(1));
    if (textual.includes(key)) return cell.textContent.trim().toLowerCase();
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  const compare = (a, b, direction) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return direction * (typeof a === "string" ? a.localeCompare(b) : a - b);
  };
  function sort(header) {
    const { key } = header.dataset;
    const first = textual.includes(key) || key === "code" || key === "sizes" ? 1 : -1;
    const was = header.getAttribute("aria-sort");
    const direction = was === null ? first : was === "ascending" ? -1 : 1;
    for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    for (const body of table.tBodies) {
      const rows = [...body.querySelectorAll(".row")].map((row) => [valueOf(row, key), row]);
      rows.sort(([a], [b]) => compare(a, b, direction));
      for (const [, row] of rows) body.append(row, row.nextElementSibling);
    }
  }
  for (const header of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => sort(header));
  }
})();
