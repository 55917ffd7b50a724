// What tests run in a page: uses it as a reader does, and returns what it found. A part that a page
// does not have is not told of.
(() => {
  "use strict";
  const found = {};
  const all = (what, from = document) => [...from.querySelectorAll(what)];
  const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const colour = text => text.match(/[\d.]+/g).map(Number);
  const luminance = text => {
    const [r, g, b] = colour(text).map(channel);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };

  // Of all text against what is behind it, the least contrast (WCAG 2.1, 1.4.3).
  const leastContrast = () => {
    let least = Infinity;
    for (const one of all("p, li, th, td, figcaption, summary, button, dt, dd, h1, h2, h3, a, code")) {
      let behind = one;
      while (behind && colour(getComputedStyle(behind).backgroundColor)[3] === 0)
        behind = behind.parentElement;
      const back = luminance(getComputedStyle(behind || document.body).backgroundColor);
      const front = luminance(getComputedStyle(one).color);
      least = Math.min(least, (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05));
    }
    return least;
  };

  // Words of a chart that leave it, and pairs of them that lie on each other.
  const words = picture => all("text", picture).map(one => ({text: one.textContent, box: one.getBoundingClientRect(),
    turned: one.hasAttribute("transform")})).filter(one => one.box.width > 0);
  const outside = [], covered = [];
  for (const picture of all("svg")) {
    const frame = picture.getBoundingClientRect(), own = words(picture);
    for (const {text, box} of own)
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
          box.bottom > frame.bottom + 1)
        outside.push(`${picture.getAttribute("aria-label")}: ${text}`);
    own.sort((a, b) => a.box.left - b.box.left);
    own.forEach((a, i) => {
      for (let k = i + 1; k < own.length && own[k].box.left < a.box.right - 2; k++) {
        const b = own[k], high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (high > 0.35 * Math.min(a.box.height, b.box.height))
          covered.push(`${picture.getAttribute("aria-label")}: ${a.text} and ${b.text}`);
      }
    });
  }
  found.outside = outside.length;
  found.covered = covered.length;
  outside.slice(0, 5).forEach((one, i) => { found[`outside-${i}`] = one; });
  covered.slice(0, 5).forEach((one, i) => { found[`covered-${i}`] = one; });

  for (const theme of ["light", "dark"]) {
    document.documentElement.dataset.theme = theme;
    found[`contrast-${theme}`] = leastContrast().toFixed(2);
    found[`paper-${theme}`] = getComputedStyle(document.body).backgroundColor;
  }
  delete document.documentElement.dataset.theme;
  const button = document.querySelector("button.theme"), before = getComputedStyle(document.body).backgroundColor;
  button.click();
  found["theme-button"] = getComputedStyle(document.body).backgroundColor !== before;
  button.click();

  // What each column of numbers adds up to, of the table and of those in the parts that one can open; and how
  // many cells show another number than they have.
  // What a cell shows, in its value's unit, and half of its last digit.
  const units = {"ms": 1e-3, "µs": 1e-6, "%": 1e-2, "KiB": 2 ** 10, "MiB": 2 ** 20, "GiB": 2 ** 30, "TiB": 2 ** 40,
    "kFLOP": 1e3, "MFLOP": 1e6, "GFLOP": 1e9, "TFLOP": 1e12};
  const shownNumber = text => {
    const [, digits, unit] = text.match(/^([\d.]+) ?(.*)$/) || [], scale = units[unit] || 1;
    const decimals = ((digits || "").split(".")[1] || "").length;
    return {number: Number(digits) * scale, half: 0.501 * scale * 10 ** -decimals};
  };
  const addUp = (name, table) => {
    [...table.tHead.rows[0].cells].forEach((head, k) => {
      const values = [...table.tBodies[0].rows].map(row => Number(row.cells[k].dataset.value));
      if (k > 0 && values.some(value => !Number.isNaN(value)))
        found[`sum-${name}-${head.textContent.replace(/ /g, "_")}`] = values.reduce((sum, value) => sum + (value || 0), 0);
    });
  };
  const table = document.querySelector("table.sorts");
  if (table)
    addUp("policies", table);
  all("details table.sorts").forEach((one, i) => addUp(i, one));
  found.misread = all("td[data-value]").filter(cell => {
    const shown = shownNumber(cell.textContent), value = cell.dataset.value;
    return value + cell.textContent !== "" && !(Math.abs(shown.number - Number(value)) <= shown.half);
  }).length;

  if (table) {
    const heads = [...table.tHead.rows[0].cells], at = heads.findIndex(head => head.textContent === "step");
    const column = () => [...table.tBodies[0].rows].map(row => Number(row.cells[at].dataset.value));
    const ordered = sign => column().every((v, i, list) => i === 0 || sign * (v - list[i - 1]) >= 0);
    heads[at].querySelector("button").click();
    found.ascending = ordered(1);
    heads[at].querySelector("button").click();
    found.descending = ordered(-1);
  }
  const filter = document.querySelector("section .filter input"), layers = document.querySelector("section table.filters");
  if (filter) {
    filter.value = "conv1";
    filter.dispatchEvent(new Event("input"));
    const shown = [...layers.tBodies[0].rows].filter(row => !row.hidden);
    found.filtered = shown.length > 0 && shown.every(row => row.textContent.includes("conv1"));
  }
  found.unlabelled = all("svg, img, input, button, [role=region], section").filter(one =>
    !(one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.getAttribute("alt") ||
      one.textContent.trim() || one.closest("label"))).length;
  const map = document.querySelector("figure[data-chart=map] svg");
  if (map) {
    map.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
    found.told = map.closest("figure").querySelector(".tell").textContent.includes(" at address ");
  }
  found.charts = all("svg").length;
  found.empty = all("figure[data-chart]").filter(one => !one.querySelector("svg")).length;
  return found;
})()
