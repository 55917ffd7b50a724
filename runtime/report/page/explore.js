// Zoom and readout of the pictures of a step: the wheel or + and - zoom, dragging or Shift with an arrow moves,
// 0 shows the whole step again; the pointer or the arrows choose what is told in words.
"use strict";

const LEAST_VIEW = 1e-4, CLOSER = 0.8;

// A range of the whole, from 0 to 1, made `factor` as long around `at`, a part of it.
function scaled(from, to, factor, at) {
  const size = Math.min(Math.max((to - from) * factor, LEAST_VIEW), 1);
  const begin = Math.min(Math.max(from + (to - from) * at - size * at, 0), 1 - size);
  return [begin, begin + size];
}

function shifted(from, to, by) {
  const begin = Math.min(Math.max(from + (to - from) * by, 0), 1 - (to - from));
  return [begin, begin + to - from];
}

// A view closer by `factor` around a point of it; only a map is zoomed in its bytes too.
function zoomed(view, factor, point, isMap) {
  const [from, to] = scaled(view.from, view.to, factor, point.x);
  const [low, high] = isMap ? scaled(view.low, view.high, factor, point.y) : [0, 1];
  return {from, to, low, high};
}

function moved(view, x, y) {
  const [from, to] = shifted(view.from, view.to, x), [low, high] = shifted(view.low, view.high, y);
  return {from, to, low, high};
}

// What is told of the picture, and where it is in the whole: of a map its buffers, of the curve the points at
// which bytes are counted.
function mapReadout(step, most) {
  const times = step.point_seconds;
  return {
    where: i => {
      const {first_point: first, end_point: end, offset, bytes} = step.buffers[i];
      return {x: (times[first] + times[end]) / 2 / step.seconds, y: (offset + bytes / 2) / most};
    },
    count: step.buffers.length,
    text: i => bufferText(step.buffers[i], step),
    at: target => target.dataset && target.dataset.box !== undefined ? Number(target.dataset.box) : -1,
    help: "Point at a buffer, or go from one to the next with the arrow keys.",
  };
}

function curveReadout(step) {
  const times = step.point_seconds, live = liveBytes(step);
  return {
    where: i => ({x: times[i] / step.seconds, y: .5}),
    count: times.length - 1,
    text: i => pointText(step, live, i),
    at: (target, x, view) => {
      const seconds = step.seconds * (view.from + (view.to - view.from) * x);
      const after = times.findIndex(time => time > seconds);
      return x < 0 || x > 1 ? -1 : Math.max((after < 0 ? times.length - 1 : after) - 1, 0);
    },
    help: "Point at a time, or go from one to the next with the arrow keys.",
  };
}

// Makes the picture in `place`, which `drawView` draws for a view, one that can be explored; `most`:
// the bytes of a map's whole height, 0: it is the curve. Returns what draws it.
function makeExplorable(place, step, most, drawView) {
  const isMap = most > 0, readout = isMap ? mapReadout(step, most) : curveReadout(step);
  const tell = document.createElement("p"), buttons = document.createElement("div");
  let view = WHOLE, chosen = -1, dragged = null;

  const tellChosen = () => {
    const picture = place.querySelector("svg"), [left, top, span, height] = picture.dataset.plot.split(" ").map(Number);
    if (chosen < 0)
      return;
    tell.textContent = readout.text(chosen);
    if (isMap) {
      picture.querySelectorAll(".chosen").forEach(box => box.classList.remove("chosen"));
      const box = picture.querySelector(`[data-box="${chosen}"]`);
      if (box)
        box.classList.add("chosen");
      return;
    }
    const x = left + span * (step.point_seconds[chosen] / step.seconds - view.from) / (view.to - view.from);
    const cursor = picture.querySelector(".cursor");
    const where = {x1: x, x2: x, y1: top, y2: top + height, visibility: x < left || x > left + span ? "hidden" : "visible"};
    Object.entries(where).forEach(([key, value]) => cursor.setAttribute(key, value));
  };
  const draw = () => {
    place.innerHTML = drawView(view);
    place.classList.toggle("close", view.to - view.from < 1);
    tellChosen();
  };
  const show = next => { view = next; draw(); };
  const choose = i => { chosen = i; tellChosen(); };
  // Keys and buttons zoom around what is chosen, if it is in view, else around the middle.
  const inView = () => {
    const at = chosen < 0 ? {x: -1, y: -1} : readout.where(chosen);
    const x = (at.x - view.from) / (view.to - view.from), y = (at.y - view.low) / (view.high - view.low);
    return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? {x, y} : null;
  };
  const zoom = (factor, point = inView() || {x: .5, y: .5}) => show(zoomed(view, factor, point, isMap));
  const go = by => {
    choose((Math.max(chosen, -1) + by + readout.count) % readout.count);
    const at = readout.where(chosen);
    if (inView() === null)
      show(moved(view, (at.x - view.from) / (view.to - view.from) - .5, isMap ? (at.y - view.low) / (view.high - view.low) - .5 : 0));
  };

  // Where an event is in the plot, each way from 0 to 1; its bytes grow upwards.
  const pointOf = event => {
    const picture = place.querySelector("svg"), box = picture.getBoundingClientRect();
    const [left, top, span, height, width] = picture.dataset.plot.split(" ").map(Number), scale = width / box.width;
    return {x: ((event.clientX - box.left) * scale - left) / span, y: 1 - ((event.clientY - box.top) * scale - top) / height};
  };
  const inside = point => ({x: between(point.x), y: between(point.y)});

  // A wheel that is not meant for the picture goes on scrolling the page.
  place.addEventListener("wheel", event => {
    if (document.activeElement !== place && !event.ctrlKey)
      return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? CLOSER : 1 / CLOSER, inside(pointOf(event)));
  }, {passive: false});
  place.addEventListener("pointerdown", event => {
    if (event.button === 0 && view.to - view.from < 1)
      dragged = {view, point: pointOf(event), id: event.pointerId};
  });
  place.addEventListener("pointermove", event => {
    const point = pointOf(event);
    if (dragged) {
      if (!place.hasPointerCapture(dragged.id))
        place.setPointerCapture(dragged.id);
      show(moved(dragged.view, dragged.point.x - point.x, isMap ? dragged.point.y - point.y : 0));
      return;
    }
    const found = readout.at(event.target, point.x, view);
    if (found >= 0 && found !== chosen)
      choose(found);
  });
  for (const end of ["pointerup", "pointercancel"])
    place.addEventListener(end, () => { dragged = null; });
  place.addEventListener("keydown", event => {
    const arrow = {ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowLeft: [-1, 0], ArrowDown: [0, -1]}[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey)
      return;
    if (arrow && event.shiftKey)
      show(moved(view, arrow[0] / 4, isMap ? arrow[1] / 4 : 0));
    else if (arrow)
      go(arrow[0] + arrow[1]);
    else if (event.key === "+" || event.key === "=")
      zoom(CLOSER);
    else if (event.key === "-")
      zoom(1 / CLOSER);
    else if (event.key === "0")
      show(WHOLE);
    else
      return;
    event.preventDefault();
  });

  [["+", "zoom in", () => zoom(CLOSER / 1.6)], ["\u2212", "zoom out", () => zoom(1.6 / CLOSER)],
    ["\u2190", "earlier", () => show(moved(view, -.25, 0))], ["\u2192", "later", () => show(moved(view, .25, 0))],
    ["whole step", "show the whole step", () => show(WHOLE)]].forEach(([words, name, act]) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.setAttribute("aria-label", name);
    button.addEventListener("click", act);
    buttons.append(button);
  });
  place.tabIndex = 0;
  place.classList.add("explored");
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", isMap ? "memory map, to explore" : "memory over the step, to explore");
  tell.className = "tell";
  tell.setAttribute("aria-live", "polite");
  tell.textContent = `${readout.help} After a click the wheel zooms, as + and \u2212 do; dragging or Shift with an arrow moves, ` +
    "0 shows the whole step.";
  buttons.className = "zoom";
  place.after(buttons, tell);
  return draw;
}
