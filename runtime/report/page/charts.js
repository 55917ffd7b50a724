// The charts, each a function of a report's JSON that returns the text of an SVG picture. Nothing
// here knows the page; `narrow` is for screens on which names stand above their bars.
"use strict";

const CATEGORIES = ["weights", "weight_gradients", "optimizer", "feature_maps", "gradient_maps",
  "workspace", "other"];
const LANES = ["forward", "backward", "recompute", "copy"];
const SPLIT = ["compute", "recompute", "exposed_copy", "stall"];
const CHART = {width: 900, left: 150, right: 170, narrow: 360};
const LAYER_LETTERS = 16;
const LETTER = 6.8, BUDGET_NAME = 125; // about as wide as a letter, and as "budget 12.00 GiB", is

const words = key => key.replace(/_/g, " ");
const escaped = text => String(text).replace(/[<>&"]/g, c => `&#${c.charCodeAt(0)};`);
const fixed = number => Number(number.toFixed(2));

function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit + 1 < units.length) {
    bytes /= 1024;
    unit++;
  }
  return unit === 0 ? `${bytes} B` : `${bytes.toFixed(2)} ${units[unit]}`;
}

// Significant digits that a device's model knows, as in tables (runtime/setup/known_digits.h); 0: all.
function digitsOf(device) {
  const error = device && device.accuracy ? device.accuracy.half_within : 0;
  return error > 0 ? error >= .02 ? 2 : error >= .002 ? 3 : 4 : 0;
}

const known = {digits: 0}; // of the report that is drawn

function significant(number, digits) {
  const rounded = Number(number.toPrecision(digits));
  return rounded.toFixed(rounded === 0 ? 0 : Math.max(digits - 1 - Math.floor(Math.log10(Math.abs(rounded))), 0));
}

function secondsText(seconds) {
  if (known.digits > 0 && seconds < 59.5) {
    const [size, unit] = [[1e-6, "us"], [1e-3, "ms"], [1, "s"]].find(([size], i) =>
      i === 2 || Number(seconds.toPrecision(known.digits)) < 1e3 * size);
    return seconds === 0 ? "0 s" : `${significant(seconds / size, known.digits)} ${unit}`;
  }
  return seconds >= 1 ? `${seconds.toFixed(3)} s` : `${(1e3 * seconds).toFixed(3)} ms`;
}

function svg(height, name, body, width = CHART.width, attributes = "") {
  return `<svg viewBox="0 0 ${width} ${fixed(height)}" role="img" aria-label="${escaped(name)}" ${attributes}>` +
    `${body}</svg>`;
}

function rect(x, y, width, height, attributes, title) {
  return `<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(Math.max(width, 0))}" ` +
    `height="${fixed(Math.max(height, 0))}" ${attributes}>` +
    `${title === undefined ? "" : `<title>${escaped(title)}</title>`}</rect>`;
}

function text(x, y, content, attributes = "") {
  return `<text x="${fixed(x)}" y="${fixed(y)}" ${attributes}>${escaped(content)}</text>`;
}

function line(x1, y1, x2, y2, attributes = 'class="rule"') {
  return `<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" ${attributes}/>`;
}

// Marks of lines and passes, which differ by their shape: what a reader of any colours tells apart.
const SHAPES = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "M-3.6 -3.6h7.2v7.2h-7.2z", "M0 -4.6L4.4 3.4H-4.4z",
  "M0 -5L5 0L0 5L-5 0z", "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z", "M0 4.6L4.4 -3.4H-4.4z"];

function mark(shape, x, y, attributes, title) {
  return `<path d="${SHAPES[shape % SHAPES.length]}" transform="translate(${fixed(x)} ${fixed(y)})" ${attributes}>` +
    `<title>${escaped(title)}</title></path>`;
}

// Where levels go so that each is `gap` below the one above it, none below `bottom`, in the same order.
function spread(levels, gap, bottom) {
  const order = levels.map((_, i) => i).sort((a, b) => levels[a] - levels[b] || a - b), placed = [...levels];
  order.forEach((i, k) => { placed[i] = k === 0 ? levels[i] : Math.max(levels[i], placed[order[k - 1]] + gap); });
  order.reverse().forEach((i, k) => { placed[i] = Math.min(placed[i], k === 0 ? bottom : placed[order[k - 1]] - gap); });
  return placed;
}

// Of a box so thin that a rim would be all that is seen of it.
const boxClass = (width, height) => `class="box${Math.min(width, height) < 2.5 ? " thin" : ""}"`;
const fill = key => `style="fill:var(--${key})"`;

// Steps of 1, 2 or 5 times a power of `base`, four or so up to `most`.
function ticks(most, base = 10) {
  const power = Math.pow(base, Math.floor(Math.log(most / 4) / Math.log(base)));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => most / s <= 5) || 10 * power;
  const all = [];
  for (let value = 0; value <= most * 1.0001; value += step)
    all.push(value);
  return all;
}

// Of bytes: steps of a power of two, between two values.
function byteTicks(most, least = 0) {
  const step = Math.pow(2, Math.ceil(Math.log2((most - least) / 5)));
  const all = [];
  for (let value = Math.ceil(least / step) * step; value <= least + (most - least) * 1.0001; value += step)
    all.push(value);
  return all;
}

// Steps of 1, 2 or 5 times a power of ten, between two values.
function ticksWithin(least, most) {
  const [first, second] = ticks(most - least);
  const step = second - first, all = [];
  for (let k = Math.ceil(least / step); k * step <= most * 1.0001; k++)
    all.push(k * step);
  return all;
}

// In a unit that suits, with as many decimals as tell one tick from the next.
function tickTexts(values, units) {
  const step = values.length > 1 ? values[1] - values[0] : values[0] || 1, most = values[values.length - 1] || step;
  const [name, size] = units.find(([, bytes]) => Math.min(most, 1000 * step) >= bytes) || units[units.length - 1];
  const decimals = [0, 1, 2, 3, 4, 5, 6].find(count => {
    const shown = step / size * Math.pow(10, count);
    return Math.abs(shown - Math.round(shown)) < 1e-3;
  });
  return values.map(value => `${(value / size).toFixed(decimals === undefined ? 2 : decimals)} ${name}`);
}

const SECONDS = [["s", 1], ["ms", 1e-3], ["us", 1e-6], ["ns", 1e-9]];
const BYTES = [["TiB", 2 ** 40], ["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10], ["B", 1]];
const secondsTickText = seconds => seconds >= 1 || seconds === 0 ? `${fixed(seconds)} s`
  : seconds >= 1e-3 ? `${fixed(1e3 * seconds)} ms` : seconds >= 1e-6 ? `${fixed(1e6 * seconds)} us`
    : `${fixed(1e9 * seconds)} ns`;
const byteTickText = bytes => bytesText(bytes).replace(/\.00/, "").replace(/(\.\d)0/, "$1");

// Horizontal bars: where their names, they themselves and what is said of them stand; on a narrow screen a bar
// has its words above it.
function barFrame(narrow, right = CHART.right, height = 20) {
  const left = narrow ? 0 : CHART.left, width = narrow ? CHART.narrow : CHART.width;
  const span = width - left - (narrow ? 0 : right), head = narrow ? 18 : 0;
  return {
    left, width, span, height, step: head + height + 6,
    top: i => 8 + i * (head + height + 6) + head,
    name: (y, words) => narrow ? text(0, y - 5, words) : text(left - 8, y + height - 5, words, 'text-anchor="end"'),
    told: (x, y, words) => narrow ? text(width, y - 5, words, 'text-anchor="end"') : text(x, y + height - 5, words),
  };
}

// The plot of a chart with axes. On a narrow screen the names of its lines stand below it, not at their ends.
function plotFrame(narrow, left, right, height) {
  const width = narrow ? 400 : CHART.width, begin = narrow ? 62 : left;
  return {narrow, width, left: begin, span: width - begin - (narrow ? 24 : right), top: 12, height, bottom: 12 + height};
}

// Names at the ends of lines, with a leader to each, or below the plot, with the line's mark: of each `end` its x
// and y, its name and the shape of its marks. Returns the text, and how high the picture is.
function lineNames(plot, ends, foot) {
  let body = "";
  if (plot.narrow) {
    ends.forEach((end, i) => {
      const y = plot.bottom + foot + 12 + 18 * i;
      body += (end.shape === undefined ? line(plot.left - 6, y, plot.left + 6, y, 'class="ideal"')
        : mark(end.shape, plot.left, y, `class="point${end.hollow ? " hollow" : ""}"`, end.name)) + text(plot.left + 14, y + 4, end.name);
    });
    return {body, height: plot.bottom + foot + 12 + 18 * ends.length};
  }
  const levels = spread(ends.map(end => end.y), 16, plot.bottom - 4), right = plot.left + plot.span;
  ends.forEach((end, i) => {
    body += line(end.x + 6, end.y, right + 22, levels[i], 'class="leader"') + text(right + 26, levels[i] + 4, end.name);
  });
  return {body, height: plot.bottom + foot};
}

// ---- policies side by side -----------------------------------------------------------------------

function rowsOf(report) {
  return (report.policies || []).concat(report.accumulate ? [report.accumulate] : []);
}

function policyName(row) {
  if (row.micro_batches)
    return `accumulate ${row.micro_batches} (${row.algo})`;
  const chosen = row.chosen;
  return `${row.policy === chosen.policy ? "" : `${row.policy} = `}${chosen.policy} (${chosen.algo})`;
}

// Device memory: the arena, in it the average, each with its figure; in the paper's accounting the peak.
function barsChart(report, narrow) {
  const rows = rowsOf(report), frame = barFrame(narrow);
  const of = row => report.accounting === "paper" ? row.device_peak_bytes : row.arena_bytes;
  const most = Math.max(...rows.map(of)), budget = report.device.budget_bytes;
  const at = frame.left + frame.span * budget / most, shows = budget <= most && report.accounting !== "paper";
  let body = "";
  rows.forEach((row, i) => {
    const y = frame.top(i), name = policyName(row), average = frame.span * row.device_average_bytes / most;
    const whole = frame.span * of(row) / most, words = `average ${bytesText(row.device_average_bytes)}`;
    const length = LETTER * words.length + 8, after = [0, average, whole]; // in it, next to it, right of the bar
    const place = [average, whole - average, frame.span - whole].findIndex(room => room >= length);
    body += frame.name(y, name) +
      rect(frame.left, y, whole, frame.height, `${fill("total")}${row.fits ? "" : ' class="unfit"'}`,
        `${name}: ${bytesText(of(row))}`) +
      rect(frame.left, y, average, frame.height, fill("average"), `${name}: ${words}`) +
      (shows ? line(at, y - 3, at, y + frame.height + 3, 'class="budget"') : "") +
      (place < 0 ? "" : text(frame.left + after[place] + 6, y + 14, words, place === 2 ? 'class="halo"' : "")) +
      frame.told(frame.left + frame.span + 12, y, bytesText(of(row)) + (row.fits ? "" : ", does not fit"));
  });
  const bottom = frame.top(rows.length) - (narrow ? 18 : 0), half = BUDGET_NAME / 2;
  if (shows)
    body += text(Math.min(at, frame.width - half), bottom + 12, `budget ${bytesText(budget)}`,
      'text-anchor="middle" class="budget-name"');
  return svg(bottom + 20, "device memory of each policy", body, frame.width);
}

// Where each policy's step goes.
function timesChart(report, narrow) {
  const rows = rowsOf(report).filter(row => row.step), frame = barFrame(narrow);
  const most = Math.max(...rows.map(row => row.step.seconds));
  let body = "";
  rows.forEach((row, i) => {
    const y = frame.top(i), name = policyName(row);
    let x = frame.left;
    body += frame.name(y, name);
    for (const part of SPLIT) {
      const seconds = row.step.split[`${part}_seconds`], width = frame.span * seconds / most;
      if (seconds > 0)
        body += rect(x, y, width, frame.height, fill(part), `${name}: ${secondsText(seconds)} ${words(part)}`);
      x += width;
    }
    const lost = row.step.seconds - row.step.split.compute_seconds;
    body += frame.told(frame.left + frame.span + 12, y,
      `${secondsText(row.step.seconds)}, ${(100 * lost / row.step.seconds).toFixed(1)} % lost`);
  });
  return svg(frame.top(rows.length) - (narrow ? 18 : 0), "time of a step under each policy", body, frame.width);
}

// ---- one step ------------------------------------------------------------------------------------

// The bytes of each category that live at each point of a step.
function liveBytes(step) {
  const live = {};
  for (const category of CATEGORIES)
    live[category] = new Array(step.point_seconds.length).fill(0);
  for (const buffer of step.buffers) {
    live[buffer.category][buffer.first_point] += buffer.bytes;
    live[buffer.category][buffer.end_point] -= buffer.bytes;
  }
  for (const category of CATEGORIES)
    for (let i = 1; i < step.point_seconds.length; i++)
      live[category][i] += live[category][i - 1];
  return live;
}

// Runs of compute steps of one layer: where they begin and end.
function layerRuns(step) {
  const runs = [];
  for (const one of step.steps) {
    if (one.stream !== "compute" || one.layer === null)
      continue;
    const last = runs[runs.length - 1];
    if (last && last.layer === one.layer)
      last.end = one.end_seconds;
    else
      runs.push({layer: one.layer, start: one.start_seconds, end: one.end_seconds});
  }
  return runs;
}

// The halves of a step: forward and backward of each micro-batch, from when and until when.
function halvesOf(step) {
  return step.halves.map((half, i) => ({half: half.half, start: half.start_seconds,
    end: i + 1 < step.halves.length ? step.halves[i + 1].start_seconds : step.seconds}));
}

const halfAt = (halves, seconds) => (halves.find(half => seconds < half.end) || halves[halves.length - 1]).half;

// The part of a picture that is shown: of its time and of its bytes, each from 0 to 1.
const WHOLE = {from: 0, to: 1, low: 0, high: 1};
const between = value => Math.min(Math.max(value, 0), 1);

// What the charts of a step have in common: time along x, bytes along y, the layers below. What is not in
// view lies on its rim.
function stepFrame(row, report, most, {small = false, narrow = false, view = WHOLE}) {
  const width = small ? 470 : narrow ? 400 : CHART.width, left = small ? 62 : narrow ? 76 : 80, right = small ? 6 : narrow ? 4 : 20;
  const top = 36, height = small ? 130 : 330;
  const span = width - left - right, seconds = row.step.seconds;
  const names = row.step.steps.map(one => Math.min((one.layer || "").length, LAYER_LETTERS));
  const begin = seconds * view.from, shown = seconds * (view.to - view.from);
  const floor = most * view.low, high = most * (view.high - view.low);
  return {
    width, left, top, height, span, small, begin, end: begin + shown, floor, ceiling: floor + high,
    foot: small ? 18 : 28 + 6 * Math.max(...names),
    x: time => left + span * between((time - begin) / shown),
    y: bytes => top + height * (1 - between((bytes - floor) / high)),
    shows: bytes => bytes >= floor && bytes <= floor + high,
    most, seconds, budget: report.device.budget_bytes,
    plot: `data-plot="${left} ${top} ${span} ${height} ${width}"`,
  };
}

// Bytes that the vertical axis of a row's charts must reach: the budget too, if it is near.
function mostBytes(rows, report) {
  const most = Math.max(...rows.map(row => row.arena_bytes)), budget = report.device.budget_bytes;
  return budget <= 1.5 * most ? Math.max(most, budget) * 1.02 : most * 1.02;
}

// Bytes at the left, time below.
function axes(frame) {
  const bottom = frame.top + frame.height, levels = byteTicks(frame.ceiling, frame.floor);
  const times = ticksWithin(frame.begin, frame.end), timeTexts = tickTexts(times, SECONDS);
  const byteTexts = tickTexts(levels, BYTES);
  let body = "";
  levels.forEach((tick, i) => {
    body += line(frame.left, frame.y(tick), frame.left + frame.span, frame.y(tick)) +
      text(frame.left - 6, frame.y(tick) + 4, byteTexts[i], 'text-anchor="end" class="soft"');
  });
  times.forEach((tick, i) => {
    const x = frame.x(tick), half = LETTER * timeTexts[i].length / 2;
    body += line(x, bottom, x, bottom + 4) + text(Math.min(x, frame.width - half), bottom + 16, timeTexts[i],
      'text-anchor="middle" class="soft"');
  });
  return body;
}

// What is forward and what is backward, with a line between.
function halves(frame, step) {
  const bottom = frame.top + frame.height;
  let body = "";
  halvesOf(step).forEach((half, i) => {
    const from = frame.x(half.start), to = frame.x(half.end);
    if (i > 0 && to - from >= 3 && from > frame.left)
      body += line(from, 4, from, bottom, 'class="boundary"');
    if (to - from >= 60)
      body += text((from + to) / 2, 12, half.half, 'text-anchor="middle" class="soft half"');
  });
  return body;
}

const hasBudget = frame => frame.budget <= frame.most && frame.shows(frame.budget);

// A name above a level, or above the budget's line where it would lie on that.
function nameLevel(frame, level) {
  const rule = hasBudget(frame) ? frame.y(frame.budget) : Infinity;
  return level > rule && level - rule < 18 ? rule - 5 : level - 5;
}

// Whether words that end there would lie on the budget's name.
function meetsBudgetName(frame, end, level) {
  return hasBudget(frame) && end > frame.left + frame.span - BUDGET_NAME &&
    Math.abs(level - frame.y(frame.budget) + 5) < 14;
}

function budgetRule(frame, atLeft = false) {
  if (!hasBudget(frame))
    return "";
  const y = frame.y(frame.budget);
  return line(frame.left, y, frame.left + frame.span, y, 'class="budget"') +
    text(atLeft ? frame.left + 4 : frame.left + frame.span, y - 5, `budget ${bytesText(frame.budget)}`,
      `text-anchor="${atLeft ? "start" : "end"}" class="budget-name"`);
}

// Bands for the layers, every second one shaded, with the names of those that are wide enough.
function layerBands(step, frame) {
  const bottom = frame.top + frame.height;
  let body = "", free = -Infinity;
  layerRuns(step).forEach((run, i) => {
    const x = frame.x(run.start), width = frame.x(run.end) - x, middle = x + width / 2;
    if (i % 2 === 0)
      body += rect(x, frame.top, width, frame.height, 'class="band"');
    if (!frame.small && width >= 5 && middle - free >= 13) {
      free = middle;
      body += `<text transform="translate(${fixed(middle - 3)} ${bottom + 24}) rotate(90)" ` +
        `class="layer">${escaped(run.layer.length > LAYER_LETTERS
        ? `${run.layer.slice(0, LAYER_LETTERS - 1)}…` : run.layer)}</text>`;
    }
  });
  return body;
}

// What runs: compute with its halves and what is computed again, copies out, copies in.
function lanes(step, frame, top) {
  const rows = [["compute", "compute"], ["out", "copies out"], ["in", "copies in"]], parts = halvesOf(step);
  let body = "";
  rows.forEach(([stream, name], i) => {
    const y = top + 16 * i;
    body += text(frame.left - 6, y + 10, name, 'text-anchor="end" class="soft"') +
      line(frame.left, y + 13, frame.left + frame.span, y + 13);
    for (const one of step.steps.filter(one => one.stream === stream && one.end_seconds > frame.begin && one.start_seconds < frame.end)) {
      const x = frame.x(one.start_seconds);
      const tone = one.kind === "recompute" ? "recompute" : stream === "compute" ? halfAt(parts, one.start_seconds) : "copy";
      const width = Math.max(frame.x(one.end_seconds) - x, .6);
      body += rect(x, y, width, 12, `${fill(tone)} ${boxClass(width, 12)}`,
        `${one.title}: ${secondsText(one.end_seconds - one.start_seconds)} from ${secondsText(one.start_seconds)}`);
    }
  });
  return body;
}

function areaPath(frame, times, below, above) {
  const up = [], down = [];
  for (let i = 0; i + 1 < times.length; i++) {
    const x0 = fixed(frame.x(times[i])), x1 = fixed(frame.x(times[i + 1]));
    up.push(`${x0},${fixed(frame.y(above[i]))}`, `${x1},${fixed(frame.y(above[i]))}`);
    down.push(`${x0},${fixed(frame.y(below[i]))}`, `${x1},${fixed(frame.y(below[i]))}`);
  }
  return `M${up.join("L")}L${down.reverse().join("L")}Z`;
}

// Memory over the step, stacked by category.
function memoryChart(row, report, most, form) {
  const frame = stepFrame(row, report, most, form), times = row.step.point_seconds, small = frame.small;
  const live = liveBytes(row.step), bottom = frame.top + frame.height;
  let below = new Array(times.length).fill(0), areas = "", peak = 0;
  for (const category of CATEGORIES) {
    const above = below.map((bytes, i) => bytes + live[category][i]);
    const largest = Math.max(...live[category]);
    if (largest > 0)
      areas += `<path d="${areaPath(frame, times, below, above)}" ${fill(category)}>` +
        `<title>${escaped(words(category))}: up to ${bytesText(largest)}</title></path>`;
    below = above;
  }
  below.forEach((bytes, i) => { peak = bytes > below[peak] ? i : peak; });
  const x = frame.x(times[peak]), y = frame.y(below[peak]), inView = times[peak] >= frame.begin && times[peak] <= frame.end;
  const name = `peak ${bytesText(below[peak])}${row.peak_layer ? `, ${row.peak_layer}` : ""}`;
  const length = LETTER * name.length, atEnd = x + 7 + length > frame.left + frame.span;
  const begin = atEnd ? x - 7 - length : x + 7;
  const peakMark = !inView ? "" : `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="3.5" class="mark"/>` +
    text(x + (atEnd ? -7 : 7), nameLevel(frame, y), name, `class="halo" text-anchor="${atEnd ? "end" : "start"}"`);
  const foot = bottom + frame.foot;
  const body = layerBands(row.step, frame) + axes(frame) + areas + halves(frame, row.step) +
    budgetRule(frame, begin > frame.left + BUDGET_NAME) + peakMark +
    (small ? "" : lanes(row.step, frame, foot + 6) + line(0, 0, 0, 0, 'class="cursor" visibility="hidden"'));
  return svg(small ? bottom + frame.foot + 4 : foot + 60,
    `memory over the step under ${policyName(row)}: ${name}`, body, frame.width, frame.plot);
}

// What is alive at a point of the step, in words: the layer that computes, the sum, and each category.
function pointText(step, live, point) {
  const seconds = step.point_seconds[point], runs = layerRuns(step);
  const run = runs.find(one => seconds >= one.start && seconds < one.end);
  const parts = CATEGORIES.filter(category => live[category][point] > 0);
  const sum = parts.reduce((bytes, category) => bytes + live[category][point], 0);
  return `At ${secondsText(seconds)} (${run ? `${run.layer}, ` : ""}${halfAt(halvesOf(step), seconds)}) ${bytesText(sum)} are live: ` +
    parts.map(category => `${words(category)} ${bytesText(live[category][point])}`).join(", ");
}

function bufferText(buffer, step) {
  const times = step.point_seconds;
  const action = buffer.action ? `, ${buffer.action}` : "";
  return `${buffer.label} (${words(buffer.class)}${action}): ${bytesText(buffer.bytes)} at address ` +
    `${bytesText(buffer.offset)}, from ${secondsText(times[buffer.first_point])} to ` +
    `${secondsText(times[buffer.end_point])}`;
}

// The memory map: each buffer a box, as wide as it lives and as high as it is large.
function mapChart(row, report, most, form) {
  const frame = stepFrame(row, report, most, form), step = row.step, times = step.point_seconds;
  let boxes = "", names = "";
  step.buffers.forEach((buffer, i) => {
    if (times[buffer.first_point] >= frame.end || times[buffer.end_point] <= frame.begin ||
        buffer.offset >= frame.ceiling || buffer.offset + buffer.bytes <= frame.floor)
      return;
    const x = frame.x(times[buffer.first_point]), y = frame.y(buffer.offset + buffer.bytes);
    const width = Math.max(frame.x(times[buffer.end_point]) - x, .6);
    const height = frame.y(buffer.offset) - y;
    boxes += rect(x, y, width, Math.max(height, .4),
      `${fill(buffer.category)} ${boxClass(width, height)} data-box="${i}"`, bufferText(buffer, step));
    const level = y + Math.min(height / 2 + 4, 14);
    if (height >= 12 && width >= 7 * buffer.label.length && !meetsBudgetName(frame, x + width, level))
      names += text(x + 4, level, buffer.label,
        `class="name${buffer.category === "weights" ? " light" : ""}"`);
  });
  const end = frame.y(row.arena_bytes);
  const arena = !frame.shows(row.arena_bytes) ? "" : line(frame.left, end, frame.left + frame.span, end, 'class="arena"') +
    text(frame.left + 4, nameLevel(frame, end), `arena ${bytesText(row.arena_bytes)}`, 'class="halo"');
  const body = layerBands(step, frame) + axes(frame) + boxes + halves(frame, step) + names + arena + budgetRule(frame);
  return svg(frame.top + frame.height + frame.foot,
    `memory map of ${policyName(row)}: ${step.buffers.length} buffers in ${bytesText(row.arena_bytes)}`, body,
    frame.width, frame.plot);
}

// ---- budgets -------------------------------------------------------------------------------------

const STRIP = 80; // for what takes more than half as long again as the fastest

// The axis of times: even up to half as long again as the fastest, beyond that a strip in which it is
// logarithmic, so that every time has its place and small differences can be seen.
function budgetAxis(times, top, height) {
  const fastest = Math.min(...times), limit = 1.5 * fastest, largest = Math.max(...times);
  const slowest = Math.max(...times.filter(seconds => seconds <= limit));
  const rim = Math.max((slowest - fastest) / 10, fastest / 50), least = fastest - rim;
  const strip = largest > limit ? STRIP : 0, most = strip > 0 ? Math.max(slowest + rim, limit) : slowest + rim;
  return {
    least, most, largest, break: strip > 0 ? top + strip : null,
    y: seconds => seconds <= most ? top + strip + (height - strip) * (most - seconds) / (most - least)
      : top + 10 + (strip - 20) * (1 - Math.log(seconds / most) / Math.log(largest / most)),
  };
}

// Time of a step over the device's budget, a line for each policy from where it fits on, each named at its
// end. Lines of equal times lie below each other.
function budgetsChart(report, narrow) {
  const plot = plotFrame(narrow, 90, 210, 320), {left, span, top, height, bottom} = plot;
  const budgets = [...report.budgets].sort((a, b) => a.budget_bytes - b.budget_bytes);
  const times = budgets.flatMap(budget => budget.policies.filter(cell => cell.fits)).map(cell => cell.step_seconds);
  if (times.length === 0)
    return svg(30, "no policy fits under any of the budgets", text(left, 20, "No policy fits under any of these budgets."));
  const axis = budgetAxis(times, top, height), largest = budgets[budgets.length - 1].budget_bytes;
  const x = bytes => left + span * bytes / largest, seconds = ticksWithin(axis.least, axis.most);
  const names = [...new Set(budgets[0].policies.map(cell => cell.policy))], lines = [];
  budgets[0].policies.forEach((policy, k) => lines.push({policy, name: policyTitle(report.policies[k]), points: []}));
  for (const budget of budgets) {
    const fitting = budget.policies.map((cell, k) => ({cell, k})).filter(one => one.cell.fits);
    const levels = spread(fitting.map(one => axis.y(one.cell.step_seconds)), 4, bottom - 2);
    fitting.forEach((one, i) => lines[one.k].points.push(
      {bytes: budget.budget_bytes, seconds: one.cell.step_seconds, x: x(budget.budget_bytes), y: levels[i]}));
  }
  let body = "";
  tickTexts(seconds, SECONDS).forEach((words, i) => {
    body += line(left, axis.y(seconds[i]), left + span, axis.y(seconds[i])) +
      text(left - 8, axis.y(seconds[i]) + 4, words, 'text-anchor="end" class="soft"');
  });
  if (axis.break !== null)
    body += line(left, axis.break, left + span, axis.break, 'class="boundary"') +
      line(left, axis.y(axis.largest), left + span, axis.y(axis.largest)) +
      text(left - 8, axis.y(axis.largest) + 4, secondsText(axis.largest), 'text-anchor="end" class="soft"') +
      text(left + 4, axis.break - 5, "slower: logarithmic", 'class="soft"');
  const bytes = byteTicks(largest), told = lines.filter(one => one.points.length > 0);
  tickTexts(bytes, BYTES).forEach((words, i) => {
    body += text(x(bytes[i]), bottom + 18, words, 'text-anchor="middle" class="soft"');
  });
  body += text(left + span / 2, bottom + 36, "device memory", 'text-anchor="middle" class="soft"');
  const ends = told.map(one => {
    const last = one.points[one.points.length - 1], shape = names.indexOf(one.policy.policy);
    const leanest = one.policy.algo === "m", dash = leanest ? ' stroke-dasharray="5 4"' : "";
    body += `<polyline class="series${one.name.includes("(") ? "" : " strong"}"${dash} data-line="${escaped(one.name)}" ` +
      `points="${one.points.map(p => `${fixed(p.x)},${fixed(p.y)}`).join(" ")}"/>`;
    for (const point of one.points)
      body += mark(shape, point.x, point.y, `class="point${leanest ? " hollow" : ""}"`,
        `${one.name}, ${bytesText(point.bytes)}: ${secondsText(point.seconds)}`);
    return {x: last.x, y: last.y, name: `${one.name} ${secondsText(last.seconds)}`, shape, hollow: leanest};
  });
  const never = lines.filter(one => one.points.length === 0).map(one => one.name).join(", ");
  const named = lineNames(plot, ends, 44), foot = named.height + (never === "" ? 0 : 20);
  if (never !== "")
    body += text(narrow ? 0 : left, foot - 8, `under none of these budgets: ${never}`, 'class="soft"');
  return svg(foot, "time of a step over the device's budget", body + named.body, plot.width);
}

// Without what a dynamic policy chose, which depends on the budget.
const policyTitle = row => row.policy === "dyn" || row.policy === "opt" ? row.policy : policyName(row);

// ---- a run ---------------------------------------------------------------------------------------

// Kernels of each layer: as they ran, with a frame as long as was planned.
function runChart(report, narrow) {
  const layers = report.run.layers, frame = barFrame(narrow, 210, 16);
  const total = times => times.forward_seconds + times.backward_seconds;
  const most = Math.max(...layers.flatMap(layer => [total(layer.planned), total(layer.measured)])) || 1;
  let body = "";
  layers.forEach((layer, i) => {
    const y = frame.top(i), planned = total(layer.planned), measured = total(layer.measured);
    body += frame.name(y, layer.name) +
      rect(frame.left, y + 3, frame.span * measured / most, 10, fill("compute"), `${layer.name}: ran ${secondsText(measured)}`) +
      rect(frame.left, y, frame.span * planned / most, 16, 'class="hollow"', `${layer.name}: ${secondsText(planned)} planned`) +
      frame.told(frame.left + frame.span + 12, y, `${secondsText(measured)}, planned ${secondsText(planned)}`);
  });
  return svg(frame.top(layers.length) - (narrow ? 18 : 0), "kernels of each layer, planned and as they ran", body, frame.width);
}

// ---- algorithms ----------------------------------------------------------------------------------

const PASSES = ["forward", "backward_data", "backward_filter"];
const operationsText = operations => {
  const units = ["", "k", "M", "G", "T", "P"];
  const unit = Math.min(Math.floor(Math.log10(Math.max(operations, 1)) / 3), units.length - 1);
  return `${fixed(operations / Math.pow(1000, unit))} ${units[unit]}FLOP`;
};

// Powers of ten from the one at or below `least` to the one at or above `most`.
function powers(least, most) {
  const all = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++)
    all.push(Math.pow(10, power));
  return all;
}

function algorithmPoints(report) {
  return report.layers.flatMap(layer => layer.passes.flatMap(pass => {
    const fastest = Math.min(...pass.algorithms.map(one => one.seconds));
    return pass.algorithms.filter(one => one.work > 0 && one.seconds > 0).map(one =>
      ({layer: layer.name, pass: pass.pass, best: one.seconds === fastest, ...one}));
  }));
}

// Time over work, both in powers of ten, and the line of the peak, below which nothing can be.
function workChart(report, narrow) {
  const points = algorithmPoints(report);
  const {left, span, top, height, width} = plotFrame(narrow, 90, 60, 320);
  if (points.length === 0)
    return svg(30, "no algorithm whose work is known", text(left, 20, "No algorithm's work is known."));
  const works = powers(Math.min(...points.map(p => p.work)), Math.max(...points.map(p => p.work)));
  const times = powers(Math.min(...points.map(p => p.seconds)), Math.max(...points.map(p => p.seconds)));
  const along = (value, all) => Math.log10(value / all[0]) / Math.log10(all[all.length - 1] / all[0] || 10);
  const x = work => left + span * along(work, works), y = time => top + height * (1 - along(time, times));
  let body = "";
  for (const tick of times)
    body += line(left, y(tick), left + span, y(tick)) +
      text(left - 8, y(tick) + 4, secondsTickText(tick), 'text-anchor="end" class="soft"');
  works.forEach((tick, i) => {
    body += line(x(tick), top, x(tick), top + height);
    if (!narrow || i % 2 === 0 && i + 1 < works.length)
      body += text(x(tick), top + height + 18, operationsText(tick), 'text-anchor="middle" class="soft"');
  });
  body += text(left + span / 2, top + height + 36, "work", 'text-anchor="middle" class="soft"');
  const peak = report.peak.operations_per_second;
  if (peak > 0) {
    const from = Math.max(works[0], times[0] * peak);
    const to = Math.min(works[works.length - 1], times[times.length - 1] * peak);
    if (from < to)
      body += line(x(from), y(from / peak), x(to), y(to / peak), 'class="budget"');
  }
  for (const p of points) {
    const told = `${p.layer}, ${words(p.pass)}, ${p.name}: ${secondsText(p.seconds)}, ` +
      `${operationsText(p.work)}${p.depth === null ? "" : `, depth ${p.depth}`}` +
      `${p.peak_share === null ? "" : `, ${(100 * p.peak_share).toFixed(1)} % of the peak`}`;
    const tone = `var(--${p.pass === "forward" ? "forward" : "backward"})`;
    body += mark(PASSES.indexOf(p.pass), x(p.work), y(p.seconds), `style="stroke:${tone};stroke-width:1.5;` +
      `fill:${p.best ? tone : "none"}" pointer-events="all"`, told);
  }
  return svg(top + height + 44, "time of each algorithm over its work", body, width);
}

// The loss of each step of a run.
function lossesChart(run, narrow) {
  const {left, span, top, height, width} = plotFrame(narrow, 60, 30, 240), losses = run.losses;
  const most = Math.max(...losses), last = losses.length;
  const x = step => left + span * (step - 1) / Math.max(last - 1, 1);
  const y = loss => top + height * (1 - loss / most);
  let body = "";
  for (const tick of ticks(most))
    body += line(left, y(tick), left + span, y(tick)) +
      text(left - 8, y(tick) + 4, fixed(tick), 'text-anchor="end" class="soft"');
  for (const tick of ticks(last).map(Math.round))
    body += text(x(Math.max(tick, 1)), top + height + 18, Math.max(tick, 1), 'text-anchor="middle" class="soft"');
  body += text(left + span / 2, top + height + 36, "step", 'text-anchor="middle" class="soft"') +
    `<polyline class="series strong" style="stroke-width:1.5" points="` +
    `${losses.map((loss, i) => `${fixed(x(i + 1))},${fixed(y(loss))}`).join(" ")}"/>`;
  return svg(top + height + 44, `loss of ${last} steps, from ${losses[0].toFixed(3)} to ${losses[last - 1].toFixed(3)}`, body, width);
}

// A rate with the digits that the card's model knows.
function rateText(card, rate) {
  const digits = digitsOf(card.device);
  return digits > 0 ? significant(rate, digits) : rate.toFixed(0);
}

// Images per second of each card, or tokens, with the range that its model's error leaves.
function cardsChart(all, narrow) {
  const cards = all.cards.filter(card => card.fits), frame = barFrame(narrow, 250);
  const range = card => card.images_per_second_range || [card.images_per_second, card.images_per_second];
  const most = Math.max(...cards.map(card => range(card)[1]), 0) || 1;
  let body = "";
  cards.forEach((card, i) => {
    const y = frame.top(i), [from, to] = range(card).map(value => frame.left + frame.span * value / most);
    const inUnit = value => rateText(card, value * all.rate.per_sample);
    const told = `${inUnit(card.images_per_second)} ${all.rate.unit}, ${range(card).map(inUnit).join(" to ")}`;
    body += frame.name(y, card.card) +
      rect(frame.left, y, frame.span * card.images_per_second / most, frame.height, fill("total"), `${card.card}: ${told}`) +
      line(from, y + 10, to, y + 10, 'class="range"') + line(from, y + 5, from, y + 15, 'class="range"') +
      line(to, y + 5, to, y + 15, 'class="range"') + frame.told(to + 8, y, told);
  });
  return svg(frame.top(cards.length) - (narrow ? 18 : 0), `${all.rate.unit} of each card`, body, frame.width);
}

// ---- reports compared ----------------------------------------------------------------------------

// A figure of each policy, a bar for each report that has it.
function comparedChart(all, of, narrow) {
  const frame = barFrame(narrow, 190, 14), tell = of.endsWith("bytes") ? bytesText : secondsText;
  const bars = all.policies.flatMap(policy => policy.reports.filter(cell => cell).map((cell, i) => ({cell, policy: policy.policy, first: i === 0})));
  const most = Math.max(...bars.map(bar => bar.cell[of])) || 1;
  let body = "";
  bars.forEach(({cell, policy, first}, i) => {
    const y = frame.top(i), told = `${tell(cell[of])}${cell.fits ? "" : ", does not fit"}`;
    body += frame.name(y, `${first ? `${policy}  ` : ""}${cell.label}`) +
      rect(frame.left, y, frame.span * cell[of] / most, frame.height, `${fill("total")}${cell.fits ? "" : ' class="unfit"'}`,
        `${policy}, report ${cell.label}: ${told}`) +
      frame.told(frame.left + frame.span * cell[of] / most + 6, y, told);
  });
  return svg(frame.top(bars.length) - (narrow ? 18 : 0), `${words(of)} of each policy in each report`, body, frame.width);
}

// ---- scaling -------------------------------------------------------------------------------------

// 1, 2 and 5 times powers of ten between two values; where these are few, even steps.
function logTicks(least, most) {
  const all = powers(least, most).flatMap(power => [power, 2 * power, 5 * power]).filter(value => value >= least && value <= most);
  return all.length >= 3 ? all : ticksWithin(least, most);
}

// The axis of a figure: throughput by its logarithm, so that twice as much is a step of equal height anywhere.
function scalingAxis(of, values, top, height) {
  const most = Math.max(...values, 0) || 1, bytes = of.endsWith("bytes");
  if (of !== "images_per_second" || values.length === 0)
    return {y: number => top + height * (1 - number / most), ticks: bytes ? byteTicks(most) : ticks(most),
      text: bytes ? byteTickText : fixed};
  const least = Math.min(...values) / 1.1, high = most * 1.1;
  return {y: number => top + height * (1 - Math.log(number / least) / Math.log(high / least)),
    ticks: logTicks(least, high), text: fixed};
}

// What the fastest single device would reach as often as there are devices; of efficiencies 1.
function idealOf(rows, of, value) {
  if (of === "efficiency")
    return () => 1;
  const each = Math.max(...rows.map(row => value(row) / row.devices * (row.devices === rows[0].devices)));
  return of === "images_per_second" ? devices => each * devices : null;
}

// A figure of each batch, and number of stages, over the logarithm of the number of devices, each named at its end.
function scalingChart(results, of, rate, narrow) {
  const each = of === "images_per_second" ? rate.per_sample : 1;
  const value = row => Array.isArray(row[of]) ? Math.max(...row[of]) : row[of] === null ? null : each * row[of];
  const rows = results.filter(row => row.fits !== false && value(row) !== null).sort((a, b) => a.devices - b.devices);
  const plot = plotFrame(narrow, 90, results.some(row => row.stages > 1) ? 200 : 130, 260), {left, span, top, height, bottom} = plot;
  const devices = [...new Set(results.map(row => row.devices))].sort((a, b) => a - b);
  const last = devices[devices.length - 1], range = Math.log2(last / devices[0]) || 1;
  const ideal = rows.length > 0 ? idealOf(rows, of, value) : null;
  const axis = scalingAxis(of, [...rows.map(value), ...(ideal ? [ideal(last), ideal(devices[0])] : [])], top, height);
  const x = count => left + span * Math.log2(count / devices[0]) / range, y = axis.y;
  const tell = of.endsWith("bytes") ? bytesText
    : of === "images_per_second" && known.digits > 0 ? number => significant(number, known.digits) : fixed;
  let body = "";
  for (const tick of axis.ticks)
    body += line(left, y(tick), left + span, y(tick)) +
      text(left - 8, y(tick) + 4, axis.text(tick), 'text-anchor="end" class="soft"');
  for (const count of devices)
    body += line(x(count), top, x(count), bottom) + text(x(count), bottom + 18, count, 'text-anchor="middle" class="soft"');
  body += text(left + span / 2, bottom + 36, "devices", 'text-anchor="middle" class="soft"');
  const nameOf = row => `batch ${row.batch}${row.stages > 1 ? `, ${row.stages} stages` : ""}`;
  const names = [...new Set(rows.map(nameOf))], ends = [];
  names.forEach((name, i) => {
    const own = rows.filter(row => nameOf(row) === name), end = own[own.length - 1];
    ends.push({name, x: x(end.devices), y: y(value(end)), shape: i, hollow: i % 2 === 1});
    body += `<polyline class="series strong" style="stroke-width:1.5" points="` +
      `${own.map(row => `${fixed(x(row.devices))},${fixed(y(value(row)))}`).join(" ")}"/>`;
    for (const row of own)
      body += mark(i, x(row.devices), y(value(row)), `class="point${i % 2 ? " hollow" : ""}"`,
        `${name}, ${row.devices} devices: ${tell(value(row))}`);
  });
  if (ideal) {
    ends.push({name: "ideal", x: x(last), y: y(ideal(last))});
    body += line(x(devices[0]), y(ideal(devices[0])), x(last), y(ideal(last)), 'class="ideal"');
  }
  const named = lineNames(plot, ends, 44);
  return svg(named.height, `${of === "images_per_second" ? rate.unit : words(of)} by number of devices`, body + named.body, plot.width);
}
