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

const isNarrow = matchMedia("(max-width: 700px)");

const ofRow = (chart, small) => (figure, view) => {
  const report = reportOf(figure), row = rowOf(figure);
  return chart(row, report, mostBytes(small ? rowsOf(report) : [row], report), {small, narrow: isNarrow.matches, view});
};

const CHARTS = {
  bars: figure => barsChart(reportOf(figure), isNarrow.matches),
  times: figure => timesChart(reportOf(figure), isNarrow.matches),
  small: ofRow(memoryChart, true),
  memory: ofRow(memoryChart, false),
  map: ofRow(mapChart, false),
  budgets: figure => budgetsChart(reportOf(figure), isNarrow.matches),
  run: figure => runChart(reportOf(figure), isNarrow.matches),
  work: figure => workChart(reportOf(figure), isNarrow.matches),
  losses: figure => lossesChart(reportOf(figure), isNarrow.matches),
  cards: figure => cardsChart(reportOf(figure), isNarrow.matches),
  compared: figure => comparedChart(reportOf(figure), figure.dataset.of, isNarrow.matches),
  scaling: figure => scalingChart(reportOf(figure).results, figure.dataset.of, reportOf(figure).rate, isNarrow.matches),
  hybrid: figure => scalingChart(reportOf(figure).hybrid, figure.dataset.of, reportOf(figure).rate, isNarrow.matches),
};

const LEGENDS = {passes: PASSES, split: SPLIT, categories: CATEGORIES, step: [...CATEGORIES, ...LANES]};

// Of passes, which have a shape too, the shape.
function swatch(key) {
  const holder = document.createElement("span"), shape = PASSES.indexOf(key);
  holder.style.background = `var(--${key})`;
  if (shape < 0 || key === "forward" && !swatch.shapes)
    return holder;
  const tone = key === "forward" ? key : "backward", picture = document.createElement("template");
  picture.innerHTML = `<svg viewBox="-6 -6 12 12" aria-hidden="true">${mark(shape, 0, 0, fill(tone), words(key))}</svg>`;
  return picture.content.firstChild;
}

function legend(name) {
  const list = document.createElement("ul");
  list.className = "legend";
  swatch.shapes = name === "passes";
  for (const key of LEGENDS[name]) {
    const item = document.createElement("li");
    item.append(swatch(key), words(key));
    list.append(item);
  }
  return list;
}

const drawings = new Map(); // of each figure that is drawn, what draws it

function draw(figure) {
  const place = document.createElement("div"), chart = figure.dataset.chart;
  if (drawings.has(figure))
    return;
  if (figure.dataset.legend)
    figure.append(legend(figure.dataset.legend));
  figure.append(place);
  const drawView = view => {
    known.digits = digitsOf(reportOf(figure).device);
    return CHARTS[chart](figure, view);
  };
  drawings.set(figure, chart === "map" || chart === "memory"
    ? makeExplorable(place, rowOf(figure).step, chart === "map" ? mostBytes([rowOf(figure)], reportOf(figure)) : 0, drawView)
    : () => { place.innerHTML = drawView(); });
  drawings.get(figure)();
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
    place.append(legend(place.dataset.legend));
}

// On paper all parts are open.
function openForPrint() {
  const closed = [...document.querySelectorAll("details:not([open])")];
  const open = () => {
    closed.splice(0, closed.length, ...document.querySelectorAll("details:not([open])"));
    closed.forEach(part => {
      part.open = true;
      part.querySelectorAll("figure[data-chart]").forEach(draw);
    });
  };
  addEventListener("beforeprint", open);
  addEventListener("afterprint", () => closed.forEach(part => { part.open = false; }));
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
  label.append("Filter rows ", input);
  rows.forEach((row, i) => { row.cells[0].dataset.value = i; });
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    for (const row of rows)
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.parentElement.before(label);
}

// What is wider than its place says so, and fades at the side where there is more; its first column stays.
function hintAtScrolling(place) {
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = "Wider than the screen: scroll sideways for the rest \u2192";
  place.before(hint);
  const update = () => {
    const hidden = place.scrollWidth - place.clientWidth;
    hint.hidden = hidden <= 1;
    place.classList.toggle("more", place.scrollLeft < hidden - 1);
    place.classList.toggle("moved", place.scrollLeft > 1);
  };
  place.addEventListener("scroll", update, {passive: true});
  new ResizeObserver(update).observe(place);
  update();
}

addThemeButton();
drawAll();
openForPrint();
isNarrow.addEventListener("change", () => drawings.forEach(drawing => drawing()));
document.querySelectorAll("table.filters").forEach(makeFilterable);
document.querySelectorAll("table.sorts").forEach(makeSortable);
document.querySelectorAll(".scroll").forEach(hintAtScrolling);
