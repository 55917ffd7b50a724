// What tests append to a page: uses it as a reader does, and leaves what it found in #found, a line
// for each: NAME VALUE.
"use strict";
{
  const found = [];
  const tell = (name, value) => found.push(`${name} ${value}`);
  const channel = c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const colour = text => text.match(/[\d.]+/g).map(Number);
  const luminance = text => {
    const [r, g, b] = colour(text).map(channel);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  // Of all text against what is behind it, the least contrast (WCAG 2.1, 1.4.3).
  const leastContrast = () => {
    let least = Infinity;
    for (const one of document.querySelectorAll("p, li, th, td, figcaption, summary, button, dt, dd, h1, h2, h3")) {
      let behind = one;
      while (behind && colour(getComputedStyle(behind).backgroundColor)[3] === 0)
        behind = behind.parentElement;
      const back = luminance(getComputedStyle(behind || document.body).backgroundColor);
      const front = luminance(getComputedStyle(one).color);
      least = Math.min(least, (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05));
    }
    return least;
  };
  for (const theme of ["light", "dark"]) {
    document.documentElement.dataset.theme = theme;
    tell(`contrast-${theme}`, leastContrast().toFixed(2));
    tell(`paper-${theme}`, getComputedStyle(document.body).backgroundColor);
  }
  delete document.documentElement.dataset.theme;
  document.querySelectorAll("details").forEach(one => { one.open = true; });
  const table = document.querySelector("table.sorts"), steps = [...table.tHead.rows[0].cells]
    .findIndex(head => head.textContent === "step");
  const column = () => [...table.tBodies[0].rows].map(row => Number(row.cells[steps].dataset.value));
  const ordered = sign => column().every((v, i, all) => i === 0 || sign * (v - all[i - 1]) >= 0);
  table.tHead.rows[0].cells[steps].querySelector("button").click();
  tell("ascending", ordered(1));
  table.tHead.rows[0].cells[steps].querySelector("button").click();
  tell("descending", ordered(-1));
  const filter = document.querySelector(".filter input"), layers = document.querySelector("table.filters");
  filter.value = "conv1";
  filter.dispatchEvent(new Event("input"));
  const shown = [...layers.tBodies[0].rows].filter(row => !row.hidden);
  tell("filtered", shown.length > 0 && shown.every(row => row.textContent.includes("conv1")));
  const unlabelled = [...document.querySelectorAll("svg, input, button, [role=region], section")].filter(one =>
    !(one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.textContent.trim() ||
      one.closest("label")));
  tell("unlabelled", unlabelled.length);
  const picture = document.querySelector("figure[data-chart=map] svg");
  picture.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}));
  tell("told", picture.closest("figure").querySelector(".tell").textContent.includes(" at address "));
  const list = document.createElement("pre");
  list.id = "found";
  // The toggle events of the opened parts come later, and draw their charts.
  setTimeout(() => {
    tell("charts", document.querySelectorAll("svg").length);
    tell("empty", [...document.querySelectorAll("figure[data-chart]")].filter(one => !one.querySelector("svg")).length);
    list.textContent = found.join("\n") + "\n";
    document.body.append(list);
  }, 200);
}
