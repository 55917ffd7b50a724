// The charts, each a function of a report's JSON that returns the text of an SVG picture. Nothing
// here knows the page.
"use strict";

const CATEGORIES = ["weights", "weight_gradients", "optimizer", "feature_maps", "gradient_maps",
  "workspace", "other"];
const SPLIT = ["compute", "recompute", "exposed_copy", "stall"];
const CHART = {width: 900, left: 150, right: 170};

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

function svg(height, name, body) {
  return `<svg viewBox="0 0 ${CHART.width} ${height}" role="img" aria-label="${escaped(name)}">` +
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

const byteTickText = bytes => bytesText(bytes).replace(/\.00/, "").replace(/(\.\d)0/, "$1");

// ---- policies side by side -----------------------------------------------------------------------

function rowsOf(report) {
  return report.policies.concat(report.accumulate ? [report.accumulate] : []);
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

// ---- scaling -------------------------------------------------------------------------------------

// A figure of each batch over the logarithm of the number of devices.
function scalingChart(study, of) {
  const colours = ["compute", "gradient_maps", "optimizer", "workspace", "feature_maps", "other"];
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
    const colour = colours[i % colours.length], last = own[own.length - 1];
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
