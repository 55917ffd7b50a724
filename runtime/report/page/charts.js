// The charts, each a function of a report's JSON that returns the text of an SVG picture. Nothing
// here knows the page.
"use strict";

const CATEGORIES = ["weights", "weight_gradients", "optimizer", "feature_maps", "gradient_maps",
  "workspace", "other"];
const RUN = ["planned", "measured"];
const PASSES = ["forward", "backward_data", "backward_filter"];
const SPLIT = ["compute", "recompute", "exposed_copy", "stall"];
const CHART = {width: 900, left: 150, right: 170};
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

const secondsText = seconds =>
  seconds >= 1 ? `${seconds.toFixed(3)} s` : `${(1e3 * seconds).toFixed(3)} ms`;

function svg(height, name, body, width = CHART.width) {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(name)}">` +
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

// Of bytes: steps of a power of two.
function byteTicks(most) {
  const step = Math.pow(2, Math.ceil(Math.log2(most / 5)));
  const all = [];
  for (let value = 0; value <= most * 1.0001; value += step)
    all.push(value);
  return all;
}

const secondsTickText = seconds => seconds >= 1 || seconds === 0 ? `${fixed(seconds)} s`
  : seconds >= 1e-3 ? `${fixed(1e3 * seconds)} ms` : seconds >= 1e-6 ? `${fixed(1e6 * seconds)} µs`
    : `${fixed(1e9 * seconds)} ns`;
const byteTickText = bytes => bytesText(bytes).replace(/\.00/, "").replace(/(\.\d)0/, "$1");

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

function budgetLine(x, top, bottom, bytes) {
  return line(x, top, x, bottom, 'class="budget"') +
    text(x, bottom + 14, `budget ${bytesText(bytes)}`, 'text-anchor="middle" class="budget-name"');
}

// Device memory: the arena, in it the average; in the paper's accounting the peak.
function barsChart(report) {
  const rows = rowsOf(report), step = 26, top = 8;
  const of = row => report.accounting === "paper" ? row.device_peak_bytes : row.arena_bytes;
  const most = Math.max(...rows.map(of)), budget = report.device.budget_bytes;
  const span = CHART.width - CHART.left - CHART.right;
  let body = "";
  rows.forEach((row, i) => {
    const y = top + step * i, name = policyName(row);
    const tone = row.fits ? "weights" : "gradient_maps";
    body += text(CHART.left - 8, y + 15, name, 'text-anchor="end"') +
      rect(CHART.left, y, span * of(row) / most, step - 6, `${fill(tone)} opacity=".45"`,
        `${name}: ${bytesText(of(row))}`) +
      rect(CHART.left, y, span * row.device_average_bytes / most, step - 6, fill(tone),
        `${name}: ${bytesText(row.device_average_bytes)} on average`) +
      text(CHART.left + span + 12, y + 15, bytesText(of(row)) + (row.fits ? "" : ", does not fit"));
  });
  const bottom = top + step * rows.length;
  if (budget <= most && report.accounting !== "paper")
    body += budgetLine(CHART.left + span * budget / most, top - 4, bottom, budget);
  return svg(bottom + 20, "device memory of each policy", body);
}

// Where each policy's step goes.
function timesChart(report) {
  const rows = rowsOf(report).filter(row => row.step), step = 26, top = 8;
  const most = Math.max(...rows.map(row => row.step.seconds));
  const span = CHART.width - CHART.left - CHART.right;
  let body = "";
  rows.forEach((row, i) => {
    const y = top + step * i, name = policyName(row);
    let x = CHART.left;
    body += text(CHART.left - 8, y + 15, name, 'text-anchor="end"');
    for (const part of SPLIT) {
      const seconds = row.step.split[`${part}_seconds`], width = span * seconds / most;
      if (seconds > 0)
        body += rect(x, y, width, step - 6, fill(part), `${name}: ${secondsText(seconds)} ${words(part)}`);
      x += width;
    }
    const lost = row.step.seconds - row.step.split.compute_seconds;
    body += text(CHART.left + span + 12, y + 15,
      `${secondsText(row.step.seconds)}, ${(100 * lost / row.step.seconds).toFixed(1)} % lost`);
  });
  return svg(top + step * rows.length + 4, "time of a step under each policy", body);
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

// What the charts of a step have in common: time along x, bytes along y, the layers below.
function stepFrame(row, report, most, small) {
  const width = small ? 470 : CHART.width, left = small ? 62 : 80, right = small ? 6 : 20;
  const top = 20, height = small ? 130 : 330;
  const span = width - left - right, seconds = row.step.seconds;
  const names = row.step.steps.map(one => Math.min((one.layer || "").length, LAYER_LETTERS));
  return {
    width, left, top, height, span, small,
    foot: small ? 0 : 14 + 6 * Math.max(...names),
    x: time => left + span * time / seconds,
    y: bytes => top + height * (1 - bytes / most),
    most, seconds, budget: report.device.budget_bytes,
  };
}

// Bytes that the vertical axis of a row's charts must reach: the budget too, if it is near.
function mostBytes(rows, report) {
  const most = Math.max(...rows.map(row => row.arena_bytes)), budget = report.device.budget_bytes;
  return budget <= 1.5 * most ? Math.max(most, budget) * 1.02 : most * 1.02;
}

function axes(frame) {
  let body = "";
  for (const tick of byteTicks(frame.most))
    body += line(frame.left, frame.y(tick), frame.left + frame.span, frame.y(tick)) +
      text(frame.left - 6, frame.y(tick) + 4, byteTickText(tick), 'text-anchor="end" class="soft"');
  return body;
}

// A name above a level, or above the budget's line where it would lie on that.
function nameLevel(frame, level) {
  const rule = frame.budget > frame.most ? Infinity : frame.y(frame.budget);
  return level > rule && level - rule < 18 ? rule - 5 : level - 5;
}

// Whether words that end there would lie on the budget's name.
function meetsBudgetName(frame, end, level) {
  return frame.budget <= frame.most && end > frame.left + frame.span - BUDGET_NAME &&
    Math.abs(level - frame.y(frame.budget) + 5) < 14;
}

function budgetRule(frame, atLeft = false) {
  if (frame.budget > frame.most)
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
      body += `<text transform="translate(${fixed(middle + 4)} ${bottom + 8}) rotate(90)" ` +
        `class="layer">${escaped(run.layer.length > LAYER_LETTERS
        ? `${run.layer.slice(0, LAYER_LETTERS - 1)}…` : run.layer)}</text>`;
    }
  });
  return body;
}

// What runs: compute with what it lost, copies out, copies in.
function lanes(step, frame, top) {
  const rows = [["compute", "compute"], ["out", "copies out"], ["in", "copies in"]];
  let body = "";
  rows.forEach(([stream, name], i) => {
    const y = top + 16 * i;
    body += text(frame.left - 6, y + 10, name, 'text-anchor="end" class="soft"') +
      line(frame.left, y + 13, frame.left + frame.span, y + 13);
    for (const one of step.steps.filter(one => one.stream === stream)) {
      const x = frame.x(one.start_seconds);
      const tone = one.kind === "recompute" ? "recompute" : stream === "compute" ? "compute" : "exposed_copy";
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
function memoryChart(row, report, most, small) {
  const frame = stepFrame(row, report, most, small), times = row.step.point_seconds;
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
  const x = frame.x(times[peak]), y = frame.y(below[peak]);
  const name = `peak ${bytesText(below[peak])}${row.peak_layer ? `, ${row.peak_layer}` : ""}`;
  const length = LETTER * name.length, atEnd = x + 7 + length > frame.left + frame.span;
  const begin = atEnd ? x - 7 - length : x + 7;
  const mark = `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="3.5" class="mark"/>` +
    text(x + (atEnd ? -7 : 7), nameLevel(frame, y), name, `class="halo" text-anchor="${atEnd ? "end" : "start"}"`);
  const foot = bottom + frame.foot;
  const body = layerBands(row.step, frame) + axes(frame) + areas +
    budgetRule(frame, begin > frame.left + BUDGET_NAME) + mark +
    (small ? "" : lanes(row.step, frame, foot + 6));
  return svg(small ? bottom + 8 : foot + 60,
    `memory over the step under ${policyName(row)}: ${name}`, body, frame.width);
}

function bufferText(buffer, step) {
  const times = step.point_seconds;
  const action = buffer.action ? `, ${buffer.action}` : "";
  return `${buffer.label} (${words(buffer.class)}${action}): ${bytesText(buffer.bytes)} at address ` +
    `${bytesText(buffer.offset)}, from ${secondsText(times[buffer.first_point])} to ` +
    `${secondsText(times[buffer.end_point])}`;
}

// The memory map: each buffer a box, as wide as it lives and as high as it is large.
function mapChart(row, report, most) {
  const frame = stepFrame(row, report, most, false), step = row.step, times = step.point_seconds;
  let boxes = "", names = "";
  step.buffers.forEach((buffer, i) => {
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
  const body = layerBands(step, frame) + axes(frame) + boxes + names +
    line(frame.left, end, frame.left + frame.span, end, 'class="arena"') +
    text(frame.left + 4, nameLevel(frame, end), `arena ${bytesText(row.arena_bytes)}`, 'class="halo"') + budgetRule(frame);
  return svg(frame.top + frame.height + frame.foot,
    `memory map of ${policyName(row)}: ${step.buffers.length} buffers in ${bytesText(row.arena_bytes)}`, body);
}

// ---- budgets -------------------------------------------------------------------------------------

const COLOURS = ["compute", "gradient_maps", "optimizer", "workspace", "feature_maps",
  "weight_gradients", "other"];
const DASHES = {m: "5 4", p: "none"};

// Steps of 1, 2 or 5 times a power of ten, between two values.
function ticksWithin(least, most) {
  const [first, second] = ticks(most - least);
  const step = second - first, all = [];
  for (let k = Math.ceil(least / step); k * step <= most; k++)
    all.push(k * step);
  return all;
}

// Time of a step over the device's budget, a line for each policy from where it fits on. Those that take
// more than half as long again as the fastest would make lines of all others that are flat: their times
// stand beside their names.
function budgetsChart(report) {
  const top = 12, height = 280, left = 90, span = CHART.width - left - 210;
  const budgets = [...report.budgets].sort((a, b) => a.budget_bytes - b.budget_bytes);
  const times = budgets.flatMap(budget => budget.policies.filter(cell => cell.fits)).map(cell => cell.step_seconds);
  const fastest = Math.min(...times), limit = 1.5 * fastest;
  const slowest = Math.max(...times.filter(seconds => seconds <= limit));
  const rim = Math.max((slowest - fastest) / 10, fastest / 50);
  const least = times.length > 0 ? fastest - rim : 0, most = times.length > 0 ? slowest + rim : 1;
  const largest = budgets[budgets.length - 1].budget_bytes;
  const x = bytes => left + span * bytes / largest, y = seconds => top + height * (most - seconds) / (most - least);
  const names = [...new Set(budgets[0].policies.map(cell => cell.policy))];
  let body = "";
  for (const tick of ticksWithin(least, most))
    body += line(left, y(tick), left + span, y(tick)) +
      text(left - 8, y(tick) + 4, secondsTickText(tick), 'text-anchor="end" class="soft"');
  for (const tick of byteTicks(largest))
    body += text(x(tick), top + height + 18, byteTickText(tick), 'text-anchor="middle" class="soft"');
  body += text(left + span / 2, top + height + 36, "device memory", 'text-anchor="middle" class="soft"');
  budgets[0].policies.forEach((policy, k) => {
    const colour = COLOURS[names.indexOf(policy.policy) % COLOURS.length];
    const stroke = `stroke-width="2" stroke-dasharray="${DASHES[policy.algo]}" style="stroke:var(--${colour})"`;
    const name = policyTitle(report.policies[k]), level = top + 8 + 18 * k;
    const fitting = budgets.filter(budget => budget.policies[k].fits).map(budget => ({
      budget, seconds: budget.policies[k].step_seconds,
      x: fixed(x(budget.budget_bytes)), y: fixed(y(budget.policies[k].step_seconds))}));
    const points = fitting.filter(point => point.seconds <= limit), beyond = fitting.length - points.length;
    const note = fitting.length === 0 ? ", does not fit" : beyond > 0 ? `, up to ${secondsText(Math.max(...fitting.map(point => point.seconds)))}` : "";
    body += `<polyline fill="none" ${stroke} points="${points.map(p => `${p.x},${p.y}`).join(" ")}"/>` +
      line(left + span + 16, level, left + span + 44, level, stroke) +
      text(left + span + 50, level + 4, name + note);
    for (const point of points)
      body += `<circle cx="${point.x}" cy="${point.y}" r="3.5" ${fill(colour)}><title>${escaped(name)}, ` +
        `${bytesText(point.budget.budget_bytes)}: ${secondsText(point.seconds)}</title></circle>`;
  });
  return svg(top + height + 44, "time of a step over the device's budget", body);
}

// Without what a dynamic policy chose, which depends on the budget.
const policyTitle = row => row.policy === "dyn" || row.policy === "opt" ? row.policy : policyName(row);

// ---- a run ---------------------------------------------------------------------------------------

// Kernels of each layer: planned above measured.
function runChart(report) {
  const layers = report.run.layers, step = 22, top = 6, span = CHART.width - CHART.left - 110;
  const total = times => times.forward_seconds + times.backward_seconds;
  const most = Math.max(...layers.flatMap(layer => [total(layer.planned), total(layer.measured)])) || 1;
  let body = "";
  layers.forEach((layer, i) => {
    const y = top + step * i, planned = total(layer.planned), measured = total(layer.measured);
    body += text(CHART.left - 8, y + 13, layer.name, 'text-anchor="end"') +
      rect(CHART.left, y, span * planned / most, 8, fill("planned"), `${layer.name}: ${secondsText(planned)} planned`) +
      rect(CHART.left, y + 9, span * measured / most, 8, fill("measured"), `${layer.name}: ${secondsText(measured)} measured`) +
      text(CHART.left + span * Math.max(planned, measured) / most + 6, y + 13, secondsText(measured));
  });
  return svg(top + step * layers.length, "kernels of each layer, planned and measured", body);
}

// ---- algorithms ----------------------------------------------------------------------------------

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
function workChart(report) {
  const points = algorithmPoints(report);
  const top = 12, height = 320, left = 90, span = CHART.width - left - 60;
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
  for (const tick of works)
    body += line(x(tick), top, x(tick), top + height) +
      text(x(tick), top + height + 18, operationsText(tick), 'text-anchor="middle" class="soft"');
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
    body += `<circle cx="${fixed(x(p.work))}" cy="${fixed(y(p.seconds))}" r="4" style="stroke:var(--${p.pass});` +
      `stroke-width:1.5;fill:${p.best ? `var(--${p.pass})` : "none"}" pointer-events="all">` +
      `<title>${escaped(told)}</title></circle>`;
  }
  return svg(top + height + 44, "time of each algorithm over its work", body);
}

// The loss of each step of a run.
function lossesChart(run) {
  const top = 12, height = 240, left = 60, span = CHART.width - left - 30, losses = run.losses;
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
    `<polyline fill="none" stroke-width="1.5" style="stroke:var(--compute)" points="` +
    `${losses.map((loss, i) => `${fixed(x(i + 1))},${fixed(y(loss))}`).join(" ")}"/>`;
  return svg(top + height + 44, `loss of ${last} steps, from ${losses[0].toFixed(3)} to ${losses[last - 1].toFixed(3)}`, body);
}

// Images per second of each card, with the range that its model's error leaves.
function cardsChart(all) {
  const step = 30, top = 6, cards = all.cards.filter(card => card.fits), span = CHART.width - CHART.left - 250;
  const range = card => card.images_per_second_range || [card.images_per_second, card.images_per_second];
  const most = Math.max(...cards.map(card => range(card)[1]), 0) || 1;
  let body = "";
  cards.forEach((card, i) => {
    const y = top + step * i, [from, to] = range(card).map(value => CHART.left + span * value / most);
    const told = `${card.images_per_second.toFixed(0)} images/s, ${range(card).map(value => value.toFixed(0)).join(" to ")}`;
    body += text(CHART.left - 8, y + 15, card.card, 'text-anchor="end"') +
      rect(CHART.left, y, span * card.images_per_second / most, step - 10, fill("compute"), `${card.card}: ${told}`) +
      line(from, y + 10, to, y + 10, 'class="range"') + line(from, y + 5, from, y + 15, 'class="range"') +
      line(to, y + 5, to, y + 15, 'class="range"') + text(to + 8, y + 15, told);
  });
  return svg(top + step * cards.length, "images per second of each card", body);
}

// ---- reports compared ----------------------------------------------------------------------------

// A figure of each policy, a bar for each report that has it.
function comparedChart(all, of) {
  const bar = 16, span = CHART.width - CHART.left - 130, tell = of.endsWith("bytes") ? bytesText : secondsText;
  const cells = all.policies.flatMap(policy => policy.reports.filter(cell => cell));
  const most = Math.max(...cells.map(cell => cell[of])) || 1;
  let body = "", y = 6;
  for (const policy of all.policies) {
    body += text(CHART.left - 26, y + 12, policy.policy, 'text-anchor="end"');
    for (const cell of policy.reports.filter(cell => cell)) {
      const colour = COLOURS[(cell.label.charCodeAt(0) - 65) % COLOURS.length];
      body += text(CHART.left - 8, y + 12, cell.label, 'text-anchor="end" class="soft"') +
        rect(CHART.left, y, span * cell[of] / most, bar - 3, `${fill(colour)}${cell.fits ? "" : ' opacity=".4"'}`,
          `${policy.policy}, report ${cell.label}: ${tell(cell[of])}${cell.fits ? "" : ", does not fit"}`) +
        text(CHART.left + span * cell[of] / most + 6, y + 12, tell(cell[of]));
      y += bar;
    }
    y += 8;
  }
  return svg(y, `${words(of)} of each policy in each report`, body);
}

// ---- scaling -------------------------------------------------------------------------------------

// A figure of each batch over the logarithm of the number of devices.
function scalingChart(study, of) {
  const value = row => Array.isArray(row[of]) ? Math.max(...row[of]) : row[of];
  const rows = study.results.filter(row => row.fits && value(row) !== null);
  const top = 12, height = 240, left = 90, span = CHART.width - left - 130;
  const devices = [...new Set(study.results.map(row => row.devices))].sort((a, b) => a - b);
  const most = Math.max(...rows.map(value), 0) || 1;
  const range = Math.log2(devices[devices.length - 1] / devices[0]) || 1;
  const x = count => left + span * Math.log2(count / devices[0]) / range;
  const y = number => top + height * (1 - number / most);
  const bytes = of.endsWith("bytes");
  let body = "";
  for (const tick of bytes ? byteTicks(most) : ticks(most))
    body += line(left, y(tick), left + span, y(tick)) +
      text(left - 8, y(tick) + 4, bytes ? byteTickText(tick) : fixed(tick), 'text-anchor="end"');
  for (const count of devices)
    body += text(x(count), top + height + 18, count, 'text-anchor="middle"');
  body += text(left + span / 2, top + height + 36, "devices", 'text-anchor="middle" class="soft"');
  [...new Set(rows.map(row => row.batch))].forEach((batch, i) => {
    const own = rows.filter(row => row.batch === batch);
    const colour = COLOURS[i % COLOURS.length], last = own[own.length - 1];
    body += `<polyline fill="none" stroke-width="2" style="stroke:var(--${colour})" points="` +
      `${own.map(row => `${fixed(x(row.devices))},${fixed(y(value(row)))}`).join(" ")}"/>`;
    for (const row of own)
      body += `<circle cx="${fixed(x(row.devices))}" cy="${fixed(y(value(row)))}" r="3.5" ` +
        `${fill(colour)}><title>batch ${batch}, ${row.devices} devices: ` +
        `${bytes ? bytesText(value(row)) : fixed(value(row))}</title></circle>`;
    body += text(left + span + 26, top + 12 + 18 * i, `batch ${batch}`) +
      rect(left + span + 16, top + 2 + 18 * i, 6, 12, fill(colour));
  });
  return svg(top + height + 44, `${words(of)} by number of devices`, body);
}
