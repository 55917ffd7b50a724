// The page: draws the charts into their figures, and lets the reader choose the theme and sort the
// tables. Without it the tables are there all the same.
"use strict";

// What a figure draws: the page's report, or on a page with several the one that it names.
const reports = {};
function reportOf(figure) {
  const id = figure.dataset.report || "report";
  reports[id] = reports[id] || JSON.parse(document.getElementById(id).textContent);
  return reports[id];
}
const rowOf = figure => rowsOf(reportOf(figure))[Number(figure.dataset.row)];

const ofRow = (chart, small) => figure => {
  const report = reportOf(figure), row = rowOf(figure);
  return chart(row, report, mostBytes(small ? rowsOf(report) : [row], report), small);
};

const CHARTS = {
  bars: figure => barsChart(reportOf(figure)),
  times: figure => timesChart(reportOf(figure)),
  small: ofRow(memoryChart, true),
  memory: ofRow(memoryChart, false),
  map: ofRow(mapChart, false),
  budgets: figure => budgetsChart(reportOf(figure)),
  run: figure => runChart(reportOf(figure)),
  work: figure => workChart(reportOf(figure)),
  losses: figure => lossesChart(reportOf(figure)),
  cards: figure => cardsChart(reportOf(figure)),
  compared: figure => comparedChart(reportOf(figure), figure.dataset.of),
  scaling: figure => scalingChart(reportOf(figure), figure.dataset.of),
};

const LEGENDS = {passes: PASSES, split: SPLIT, run: RUN, categories: CATEGORIES};

function legend(keys) {
  const list = document.createElement("ul");
  list.className = "legend";
  for (const key of keys) {
    const item = document.createElement("li"), colour = document.createElement("span");
    colour.style.background = `var(--${key})`;
    item.append(colour, words(key));
    list.append(item);
  }
  return list;
}

function draw(figure) {
  const chart = document.createElement("div");
  if (figure.dataset.legend)
    figure.append(legend(LEGENDS[figure.dataset.legend]));
  chart.innerHTML = CHARTS[figure.dataset.chart](figure);
  figure.append(chart);
  if (figure.dataset.chart === "map")
    makeTelling(figure, rowOf(figure).step);
}

// Figures of a closed part of the page are drawn when it is opened.
function drawAll() {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    const closed = figure.closest("details:not([open])");
    if (closed)
      closed.addEventListener("toggle", () => draw(figure), {once: true});
    else
      draw(figure);
  }
  for (const place of document.querySelectorAll(".legend-of"))
    place.append(legend(LEGENDS[place.dataset.legend]));
}

// A line that tells of the buffer under the pointer, or chosen by the arrow keys.
function makeTelling(figure, step) {
  const picture = figure.querySelector("svg"), boxes = [...figure.querySelectorAll("[data-box]")];
  const tell = document.createElement("p");
  let chosen = -1;
  tell.className = "tell";
  tell.setAttribute("aria-live", "polite");
  tell.textContent = "Point at a buffer, or go from one to the next with the arrow keys.";
  figure.append(tell);
  const choose = i => {
    boxes.forEach((box, k) => box.classList.toggle("chosen", k === i));
    chosen = i;
    tell.textContent = bufferText(step.buffers[i], step);
  };
  picture.tabIndex = 0;
  picture.addEventListener("pointerover", event => {
    if (event.target.dataset.box !== undefined)
      choose(Number(event.target.dataset.box));
  });
  picture.addEventListener("keydown", event => {
    const by = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1}[event.key];
    if (by === undefined)
      return;
    event.preventDefault();
    choose((chosen + by + boxes.length) % boxes.length);
  });
}

function addThemeButton() {
  const button = document.createElement("button");
  button.className = "theme";
  button.type = "button";
  const dark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const tell = () => { button.textContent = dark() ? "Light theme" : "Dark theme"; };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
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

// Rows whose text has what is typed; sorting by the first column restores their order.
function makeFilterable(table) {
  const input = document.createElement("input"), label = document.createElement("label");
  const rows = [...table.tBodies[0].rows];
  input.type = "search";
  label.className = "filter";
  label.append("Rows with ", input);
  rows.forEach((row, i) => { row.cells[0].dataset.value = i; });
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of rows)
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.parentElement.before(label);
}

addThemeButton();
drawAll();
document.querySelectorAll("table.filters").forEach(makeFilterable);
document.querySelectorAll("table.sorts").forEach(makeSortable);
