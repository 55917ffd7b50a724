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
  const units = {"ms": 1e-3, "us": 1e-6, "%": 1e-2, "KiB": 2 ** 10, "MiB": 2 ** 20, "GiB": 2 ** 30, "TiB": 2 ** 40,
    "kFLOP": 1e3, "MFLOP": 1e6, "GFLOP": 1e9, "TFLOP": 1e12};
  const shownNumber = text => {
    const [, digits, unit] = text.match(/^([\d.]+) ?(.*)$/) || [], scale = units[unit] || 1;
    const decimals = ((digits || "").split(".")[1] || "").length;
    const zeros = /s$/.test(unit) && /^[1-9]\d*$/.test(digits) ? digits.match(/0*$/)[0].length : 0; // of times that are rounded
    return {number: Number(digits) * scale, half: 0.501 * scale * 10 ** (zeros - decimals)};
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
  // Captions name no shade, which the other theme turns around.
  found.shades = all("figcaption").filter(one => /\b(dark|light|pale|bright)/.test(one.textContent)).length;

  // Bars say what they are.
  const bars = document.querySelector("figure[data-chart=bars]");
  if (bars)
    found.labelled = all("text", bars).filter(one => one.textContent.startsWith("average ")).length === rowsOf(reportOf(bars)).length;

  // A chart of a step says when, and what is forward; keys, wheel and dragging zoom, move and tell.
  const axisOf = place => all("text.soft", place).map(one => one.textContent).join(" ");
  for (const [chart, told] of [["map", " at address "], ["memory", " are live: "]]) {
    const figure = document.querySelector(`figure[data-chart=${chart}]`), place = figure && figure.querySelector(".explored");
    if (!place)
      continue;
    const key = (name, shiftKey = false) => place.querySelector("svg").dispatchEvent(
      new KeyboardEvent("keydown", {key: name, shiftKey, bubbles: true}));
    const whole = axisOf(place), tell = figure.querySelector(".tell");
    const [left, top, span, height, width] = place.querySelector("svg").dataset.plot.split(" ").map(Number);
    const at = (x, y) => {
      const box = place.querySelector("svg").getBoundingClientRect(), scale = box.width / width;
      return {clientX: box.left + (left + span * x) * scale, clientY: box.top + (top + height * y) * scale,
        bubbles: true, cancelable: true, button: 0, pointerId: 1, pointerType: "mouse"};
    };
    const changes = act => {
      const before = place.innerHTML;
      act();
      return place.innerHTML !== before;
    };
    const wheel = () => !place.querySelector("svg").dispatchEvent(new WheelEvent("wheel", {deltaY: -100, ...at(.5, .5)}));
    const halves = all("text.half", place).map(one => one.textContent);
    found[`halves-${chart}`] = halves.slice(0, 2).join(" ") === "forward backward" && all(".boundary", place).length === halves.length - 1;
    found[`times-${chart}`] = (whole.match(/\b[\d.]+ (s|ms|us)\b/g) || []).length >= 3;
    found[`scrolls-${chart}`] = !changes(wheel);
    place.focus();
    found[`wheel-${chart}`] = changes(wheel) && wheel();
    key("0");
    found[`keys-${chart}`] = [..."+++-"].every(name => changes(() => key(name))) && changes(() => key("ArrowRight", true));
    found[`drag-${chart}`] = changes(() => {
      place.dispatchEvent(new PointerEvent("pointerdown", at(.5, .5)));
      place.dispatchEvent(new PointerEvent("pointermove", at(.9, .5)));
      place.dispatchEvent(new PointerEvent("pointerup", at(.9, .5)));
    });
    key("0");
    found[`whole-${chart}`] = axisOf(place) === whole;
    key("ArrowRight");
    found[`told-${chart}`] = tell.textContent.includes(told);
    const before = tell.textContent, target = chart === "map" ? all("[data-box]", place).pop() : place.querySelector("svg");
    target.dispatchEvent(new PointerEvent("pointermove", at(.6, .5)));
    found[`pointed-${chart}`] = tell.textContent !== before && tell.textContent.includes(told);
  }

  // Each policy that fits under a budget has a line of its own there, with its name at the end.
  const budgets = document.querySelector("figure[data-chart=budgets]");
  if (budgets) {
    const lines = all("polyline", budgets), fits = reportOf(budgets).budgets[0].policies.filter((_, k) =>
      reportOf(budgets).budgets.some(budget => budget.policies[k].fits));
    found.lines = lines.length === fits.length && new Set(lines.map(one => one.getAttribute("points"))).size === fits.length &&
      lines.every(one => all("text", budgets).some(name => name.textContent.startsWith(one.dataset.line)));
  }
  const speeds = document.querySelector("figure[data-of=images_per_second]");
  if (speeds) {
    const ideal = speeds.querySelector(".ideal"), ticks = all("text[text-anchor=end]", speeds);
    const [low, high] = [ticks[0], ticks[ticks.length - 1]].map(one => ({y: Number(one.getAttribute("y")), value: Number(one.textContent)}));
    const slope = (Number(ideal.getAttribute("y1")) - Number(ideal.getAttribute("y2"))) / (low.y - high.y);
    const devices = all("text[text-anchor=middle]", speeds).map(one => Number(one.textContent)).filter(count => count > 0);
    found.ideal = Math.abs(slope * Math.log(high.value / low.value) - Math.log(Math.max(...devices) / Math.min(...devices))) < 0.02;
  }

  // Cards have the figures of their table.
  const cards = document.querySelector("main > figure[data-chart=cards]"), rows = cards ? all("tr.best, tr.yes") : [];
  if (cards)
    found.rates = rows.length > 1 && rows.every(row => all("text", cards).some(one =>
      one.textContent === `${row.cells[2].textContent} images/s, ${row.cells[3].textContent}`));

  // What is wider than its place says so, and its first column stays.
  const wide = all(".scroll").find(one => one.querySelector("table") && one.scrollWidth > one.clientWidth + 20);
  if (wide) {
    const first = wide.querySelector("tbody tr > :first-child"), before = first.getBoundingClientRect().left;
    wide.scrollLeft = 20;
    found.kept = first.getBoundingClientRect().left === before && !wide.previousElementSibling.hidden;
    wide.scrollLeft = 0;
  }

  // On paper every part is open and drawn; afterwards as before.
  const parts = all("details"), wasOpen = parts.map(one => one.open);
  parts.forEach((one, i) => { one.open = i === 0; });
  dispatchEvent(new Event("beforeprint"));
  found["open-in-print"] = parts.every(one => one.open);
  dispatchEvent(new Event("afterprint"));
  found["closed-again"] = parts.every((one, i) => one.open === (i === 0));
  parts.forEach((one, i) => { one.open = wasOpen[i]; });
  found.charts = all("svg").length;
  found.empty = all("figure[data-chart]").filter(one => !one.querySelector("svg")).length;
  return found;
})()
