// The page: draws the charts into their figures, and lets the reader choose the theme and sort the
// tables. Without it the tables are there all the same.
"use strict";

const report = JSON.parse(document.getElementById("report").textContent);

const CHARTS = {
  bars: () => barsChart(report),
  scaling: figure => scalingChart(report, figure.dataset.of),
};

function draw(figure) {
  const chart = document.createElement("div");
  chart.innerHTML = CHARTS[figure.dataset.chart](figure);
  figure.append(chart);
}

function addThemeButton() {
  const button = document.createElement("button");
  button.className = "theme";
  button.type = "button";
  const dark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const tell = () => { button.textContent = dark() ? "Light theme" : "Dark theme"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    tell();
  });
  tell();
  document.querySelector("header").append(button);
}

// ---- tables --------------------------------------------------------------------------------------

const cellValue = cell => cell.dataset.value === undefined ? NaN : Number(cell.dataset.value);

function compareCells(a, b) {
  const x = cellValue(a), y = cellValue(b);
  if (Number.isNaN(x) || Number.isNaN(y))
    return Number.isNaN(x) && Number.isNaN(y) ? a.textContent.localeCompare(b.textContent)
      : Number.isNaN(x) ? 1 : -1;
  return x - y;
}

function sortBy(table, column) {
  const heads = [...table.tHead.rows[0].cells], head = heads[column];
  const sign = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
  for (const other of heads)
    other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => sign * compareCells(a.cells[column], b.cells[column]));
  table.tBodies[0].append(...rows);
}

function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, column));
    head.append(button);
  });
}

addThemeButton();
document.querySelectorAll("figure[data-chart]").forEach(draw);
document.querySelectorAll("table.sorts").forEach(makeSortable);
