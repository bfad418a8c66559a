// The script of the report: filters, kept in the address, and charts. The tables are
// in the page already; a chart shows what its table says.
(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const families = ["proto", "json", "jsonproto", "js"];
  const symbols = {proto: "circle", json: "square", jsonproto: "triangle", js: "diamond"};
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const family = (row) => {
    const f = data.variants[row.v].family;
    return families.includes(f) ? f : "other";
  };
  const name = (row) => data.variants[row.v].name;
  const color = (row) => `var(--${family(row)})`;

  function element(tag, text, attributes = {}) {
    const e = document.createElement(tag);
    if (text) e.textContent = text;
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    return e;
  }

  // ---- What is chosen: a set of values a key, where none stands for all.

  const buttons = all("button[data-key]");
  const keys = [...new Set(buttons.map((b) => b.dataset.key))];
  let chosen = {};

  function readAddress() {
    // Without a = it is the address of a section.
    const given = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    for (const key of keys) {
      const known = buttons.filter((b) => b.dataset.key === key).map((b) => b.dataset.value);
      chosen[key] = new Set(given.getAll(key).filter((v) => known.includes(v)));
    }
  }

  function writeAddress() {
    const out = new URLSearchParams();
    for (const key of keys) for (const value of chosen[key]) out.append(key, value);
    const hash = out.toString();
    history.replaceState(null, "", hash ? "#" + hash : location.href.split("#")[0]);
  }

  const passes = (key, value) => !chosen[key]?.size || chosen[key].has(value);

  function passesVariant(index, lossy) {
    const v = data.variants[index];
    return passes("family", v.family) && passes("lib", v.lib) && !(lossy && chosen.lossless.size);
  }

  const passesRow = (row) => passesVariant(row.v, row.lossy);

  // ---- Applying it.

  function apply() {
    for (const b of buttons) b.setAttribute("aria-pressed", chosen[b.dataset.key].has(b.dataset.value));
    for (const e of all("[data-v]")) e.hidden = !passesVariant(e.dataset.v, "lossy" in e.dataset);
    for (const e of all(".apart")) e.hidden = !e.parentElement.querySelector("[data-v]:not([hidden])");
    for (const e of all("[data-payload]")) e.hidden = !passes("payload", e.dataset.payload);
    for (const e of all("[data-op]")) e.hidden = !passes("op", e.dataset.op);
    // The numbers at the top are those of one payload: the first that is shown.
    const sets = all("[data-headlines]");
    const first = sets.find((e) => passes("payload", e.dataset.headlines));
    for (const e of sets) e.hidden = e !== first;
    for (const list of all("ul.missing")) {
      const empty = !list.querySelector("li:not([hidden])");
      list.hidden = empty;
      list.previousElementSibling.hidden = empty;
    }
    for (const d of all("[data-chart] ~ details.table")) d.open = chosen.tables.size > 0;
    draw();
    say();
  }

  function say() {
    const parts = [];
    const count = (n, of, noun) => parts.push(n === of ? `all ${of} ${noun}` : `${n} of ${of} ${noun}`);
    const shown = all("#variants ~ .scroll [data-v]");
    count(shown.filter((e) => !e.hidden).length, shown.length, "variants");
    const results = all(".result[data-op]");
    count(results.filter((e) => !e.closest("[hidden]")).length, results.length, "results");
    document.getElementById("shown").textContent = parts.join(", ");
  }

  // ---- Charts.

  let printing = false;

  // On paper, charts are drawn larger than they are shown, for smaller letters.
  function widthOf(e) {
    const style = getComputedStyle(e);
    if (!printing) return Math.max(240, e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
    return e.closest(".pair") ? 400 : 980;
  }

  // draw decides first what is shown, then how wide all of it is, and draws at the end:
  // each change before a measurement would have the browser lay out the whole page.
  function draw() {
    const drawings = [...all("[data-chart]").map(prepareBars), ...all("[data-tradeoff]").map(prepareTradeoff)];
    const shown = drawings.filter((d) => !d.element.closest("[hidden]"));
    for (const d of shown) d.width = widthOf(d.element);
    for (const d of shown) d.draw(d.width);
  }

  function prepareBars(figure) {
    const c = data.charts[figure.dataset.chart];
    const rows = c.rows.filter(passesRow);
    const empty = rows.length === 0;
    figure.hidden = empty;
    figure.nextElementSibling.hidden = !empty;
    figure.parentElement.querySelector("details.table").hidden = empty;
    return {element: figure, draw: (width) => figure.querySelector(".plot").replaceChildren(bars(c, rows, width))};
  }

  function prepareTradeoff(card) {
    const c = data.charts[card.dataset.tradeoff];
    const rows = c.rows.filter(passesRow);
    card.hidden = rows.length < 2 || !passes("op", c.op);
    return {element: card, draw: (width) => tradeoff(card, c, rows, width)};
  }

  function duration(ns) {
    if (ns === 0) return "0";
    const [unit, per] = ns < 999.5 ? ["ns", 1] : ns < 999.5e3 ? ["µs", 1e3] : ns < 999.5e6 ? ["ms", 1e6] : ["s", 1e9];
    return `${+(ns / per).toPrecision(3)} ${unit}`;
  }

  const bytes = (n) => `${n.toLocaleString("en")} B`;

  // ticksBetween returns 1, 2 and 5 times the powers of ten, for logarithmic axes, or all
  // multiples if those are too few. The library would leave out the labels of some, so
  // such axes have them as texts.
  function ticksBetween(low, high) {
    const multiples = (digits) => {
      const out = [];
      for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); e++) for (const m of digits) out.push(m * 10 ** e);
      return out.filter((x) => low <= x && x <= high);
    };
    const few = multiples([1, 2, 5]);
    return few.length > 2 ? few : multiples([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  }

  // labelled returns the ticks of a logarithmic axis whose labels have room on it.
  function labelled(ticks, [low, high], width, format) {
    const at = (x) => (Math.log(x / low) / Math.log(high / low)) * width;
    let free = -Infinity;
    return ticks.filter((x) => {
      const half = widthOfText(format(x)) / 2 + 4;
      if (at(x) - half < free) return false;
      free = at(x) + half;
      return true;
    });
  }

  const font = 12.5; // pixels, of the labels of bars
  const halo = {stroke: "var(--surface)", strokeWidth: 4};
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${font}px ${getComputedStyle(document.body).fontFamily}`;
  const widthOfText = (text) => pen.measureText(text).width;

  // bars draws times or sizes, sorted as in the table.
  function bars(c, rows, width) {
    const sizes = c.kind === "size";
    // Sizes lie within one order of magnitude, and are shares of a whole: these begin at 0.
    const log = !sizes && !chosen.scale.size;
    const l = barLayout(rows, width);
    const value = sizes ? "bytes" : "mid";
    // An interval that is far wider than the longest bar would leave no room for bars: it
    // is cut, and has no end then.
    const limit = log || sizes ? Infinity : Math.max(...rows.map((d) => d.mid)) * 1.3;
    const end = (d) => (sizes ? Math.max(d.bytes, d.gzip ?? 0, d.zstd ?? 0) : Math.max(d.mid, Math.min(d.high, limit)));
    const most = Math.max(...rows.map(end));
    const domain = log ? [Math.min(...rows.map((d) => d.low ?? d.mid)) * 0.8, most * 1.1] : [0, most * 1.01];
    const ticks = log ? ticksBetween(...domain) : l.wide ? 6 : 3;
    const format = {size: bytes, time: duration, cost: (x) => (+x.toPrecision(3)).toLocaleString("en")}[c.kind];
    const svg = Plot.plot({
      width, ...l.margins, marginTop: 30, marginBottom: 4, height: rows.length * l.step + 34,
      style: {fontSize: `${font}px`},
      x: {type: log ? "log" : "linear", axis: log ? null : "top", domain, label: null, ticks, tickFormat: format},
      y: {type: "band", domain: rows.map((d) => d.v), axis: null, padding: 0},
      marks: [
        Plot.gridX({ticks, stroke: "var(--line)", strokeOpacity: 1}),
        log ? Plot.axisX(labelled(ticks, domain, width - l.margins.marginLeft - l.margins.marginRight, format), {anchor: "top", text: format}) : null,
        Plot.ruleX(rows.filter((d) => d.base && !sizes), {x: value, stroke: "var(--muted)", strokeDasharray: "3 3"}),
        log ? Plot.ruleY(rows, {x1: domain[0], x2: value, y: "v", stroke: color, strokeWidth: 2, strokeOpacity: 0.35, ...l.low}) : null,
        log
          ? Plot.dot(rows, {x: value, y: "v", fill: color, r: 5, ...l.low})
          : Plot.barX(rows, {x1: 0, x2: value, y: "v", fill: color, rx: 2, ...l.inset}),
        ...(sizes ? compressed(rows, l) : intervals(rows, l, end, limit)),
        ...(l.wide ? labelsBeside(rows, end, l.margins.marginLeft) : labelsAbove(rows, l)),
        Plot.tip(rows, Plot.pointerY({x: value, y: "v", title: "detail", fontSize: 12, lineHeight: 1.3})),
      ],
    });
    const first = rows[0], last = rows[rows.length - 1];
    return describe(svg, `Bar chart, ${c.title}, ${c.payload}: ${rows.length} variants, ` +
      `from ${name(first)} with ${first.label} to ${name(last)} with ${last.label}. The table below has all figures.`);
  }

  // barLayout puts names to the left of bars where there is room, else, as on a phone,
  // above.
  function barLayout(rows, width) {
    const widest = (text) => Math.max(...rows.map((d) => widthOfText(text(d))));
    const rank = 30;
    const beside = {
      marginLeft: rank + widest((d) => shorten(name(d), 42)) + 8,
      marginRight: widest((d) => [d.label, ...d.badges].join("   ")) + 14,
    };
    if (width - beside.marginLeft - beside.marginRight >= 240) {
      return {wide: true, margins: beside, step: 25, inset: {insetTop: 4, insetBottom: 4}, ends: {insetTop: 8, insetBottom: 8}, low: {}};
    }
    // A rule is centred in its band, where the bar is low. Badges have a line to themselves, between the name and
    // the bar.
    const above = rows.some((d) => d.badges.length) ? 16 : 0;
    return {
      wide: false, margins: {marginLeft: 2, marginRight: 12}, step: 43 + above, letters: (width - widest((d) => d.label)) / 7.5 - 4,
      inset: {insetTop: 23 + above, insetBottom: 6}, ends: {insetTop: 26 + above, insetBottom: 9}, low: {dy: 8.5 + above / 2},
      nameAt: -10 - above / 2, badgesAt: 4 - above / 2,
    };
  }

  function intervals(rows, l, end, limit) {
    const known = rows.filter((d) => d.low !== null && d.high !== null);
    const ink = {y: "v", stroke: "var(--ink)", strokeWidth: 1.5};
    return [
      Plot.ruleY(known, {x1: "low", x2: end, ...ink, ...l.low}),
      Plot.tickX(known, {x: "low", ...ink, ...l.ends}),
      Plot.tickX(known.filter((d) => d.high <= limit), {x: "high", ...ink, ...l.ends}),
    ];
  }

  function compressed(rows, l) {
    return [
      Plot.tickX(rows.filter((d) => d.gzip !== null), {x: "gzip", y: "v", stroke: "var(--ink)", strokeWidth: 2, ...l.inset}),
      Plot.dot(rows.filter((d) => d.zstd !== null), {x: "zstd", y: "v", r: 3.5, fill: "var(--surface)", stroke: "var(--ink)", strokeWidth: 1.5, ...l.low}),
    ];
  }

  function labelsBeside(rows, end, left) {
    const y = {y: "v"};
    const marks = [
      Plot.text(rows, {...y, text: "place", frameAnchor: "left", textAnchor: "start", dx: 2 - left, fill: "var(--muted)"}),
      Plot.text(rows, {...y, text: (d) => shorten(name(d), 42), frameAnchor: "left", textAnchor: "end", dx: -8}),
      Plot.text(rows, {...y, x: end, text: "label", textAnchor: "start", dx: 8, ...halo, fill: "var(--ink)"}),
    ];
    for (const [key, group] of badgesByPlace(rows)) {
      const [b, dx] = key.split(" ");
      marks.push(Plot.text(group, {...y, x: end, text: () => b, textAnchor: "start", dx: +dx, ...halo, fill: badgeColor(b), fontSize: 11, fontWeight: 600}));
    }
    return marks;
  }

  // badgesByPlace groups rows by badge and by where it goes, to the right of the label:
  // a mark has one offset for all its rows, and takes time.
  function badgesByPlace(rows) {
    const out = new Map();
    for (const d of rows) {
      let dx = 8 + widthOfText(d.label);
      for (const b of d.badges) {
        dx += 8;
        const key = `${b} ${Math.ceil(dx / 6) * 6}`;
        out.set(key, [...(out.get(key) ?? []), d]);
        dx += widthOfText(b) * 1.02;
      }
    }
    return out;
  }

  function labelsAbove(rows, l) {
    const at = (dy) => ({y: "v", dy, ...halo});
    const marked = rows.filter((d) => d.badges.length);
    return [
      Plot.text(rows, {...at(l.nameAt), text: (d) => `${d.place.trim()} ${shorten(name(d), l.letters)}`.trim(), frameAnchor: "left", textAnchor: "start", fill: "var(--ink)"}),
      Plot.text(rows, {...at(l.nameAt), text: "label", frameAnchor: "right", textAnchor: "end", fill: "var(--ink)"}),
      Plot.text(marked, {...at(l.badgesAt), text: (d) => d.badges.join(" · "), frameAnchor: "left", textAnchor: "start",
        fill: (d) => badgeColor(d.badges[0]), fontSize: 11, fontWeight: 600}),
    ];
  }

  const badgeColor = (b) => (b === "lossy" ? "var(--bad)" : "var(--care)");
  const shorten = (s, n) => (s.length > n ? s.slice(0, Math.floor(n) - 1) + "…" : s);

  // frontier returns the rows that no other beats: none is as small and faster, or as
  // fast and smaller. Those that tie in time count as equally fast.
  function frontier(rows) {
    const place = rows.every((d) => d.rank > 0) ? (d) => d.rank : (d) => d.mid;
    const beats = (a, b) => a.bytes <= b.bytes && place(a) <= place(b) && (a.bytes < b.bytes || place(a) < place(b));
    return rows.filter((b) => !rows.some((a) => beats(a, b))).sort((a, b) => a.bytes - b.bytes || place(a) - place(b) || a.mid - b.mid);
  }

  function tradeoff(card, c, rows, width) {
    const best = frontier(rows);
    const figure = element("figure");
    const list = element("ol");
    for (const d of best) {
      const item = element("li", name(d));
      item.append(" ", element("span", [d.label, ...d.badges].join(" · ")));
      list.append(item);
    }
    const title = element("h3", c.title[0].toUpperCase() + c.title.slice(1));
    title.append(element("small", c.payload));
    const key = element("div", "", {class: "key-line", "aria-hidden": "true"});
    for (const f of [...families, "other"]) if (rows.some((d) => family(d) === f)) key.append(keyEntry(f));
    card.replaceChildren(title, element("p", "Smaller is to the left, faster is down. The numbered ones are efficient: nothing shown here is as small and faster, or as fast and smaller.", {class: "about"}), figure, key, list);
    const left = (c.left ?? []).filter(passesRow).map(name);
    if (left.length) card.append(element("p", `Not in the chart, having no size of their own: ${left.join(", ")}.`, {class: "about"}));
    const svg = scatter(rows, best, width);
    const plot = element("div", "", {class: "plot"});
    plot.append(describe(svg, `Scatter chart of ${c.title}, ${c.payload}: ${rows.length} variants. Efficient are ` +
      best.map((d) => `${name(d)} with ${d.label}`).join("; ") + "."));
    figure.append(plot);
  }

  // numbered gives points of the same size and place, which lie close together, one
  // label: their first and last number in the list.
  function numbered(best) {
    const out = [];
    best.forEach((d, i) => {
      const last = out[out.length - 1];
      if (last && last.bytes === d.bytes && last.rank === d.rank) last.numbers = `${last.first}–${i + 1}`;
      else out.push({...d, first: i + 1, numbers: `${i + 1}`});
    });
    return out;
  }

  function keyEntry(f) {
    const glyphs = {proto: "●", json: "■", jsonproto: "▲", js: "◆", other: "+"};
    const e = element("span");
    const glyph = element("span", glyphs[f]);
    glyph.style.color = `var(--${f})`;
    e.append(glyph, " " + f);
    return e;
  }

  function scatter(rows, best, width) {
    const y = "mid", x = "bytes";
    const sizes = rows.map((d) => d.bytes);
    const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
    const pad = (high - low || high) * 0.06;
    const times = [Math.min(...rows.map((d) => d.low ?? d.mid)) * 0.8, Math.max(...rows.map((d) => d.high ?? d.mid)) * 1.2];
    const log = !chosen.scale.size;
    if (!log) times[0] = 0;
    const ticks = log ? ticksBetween(...times) : 5;
    const known = rows.filter((d) => d.low !== null && d.high !== null);
    return Plot.plot({
      width, height: Math.min(380, Math.max(280, width * 0.72)), marginLeft: 58, marginBottom: 38, marginRight: 24, marginTop: 24,
      style: {fontSize: "12px"},
      x: {domain: [Math.max(0, low - pad), high + pad], label: "size →", ticks: Math.max(3, width / 110), tickFormat: bytes},
      y: {type: log ? "log" : "linear", domain: times, axis: log ? null : "left", ticks, tickFormat: duration, label: "↑ time"},
      symbol: {domain: [...families, "other"], range: [...families.map((f) => symbols[f]), "plus"]},
      marks: [
        Plot.gridX({stroke: "var(--line)", strokeOpacity: 1}),
        Plot.gridY({ticks, stroke: "var(--line)", strokeOpacity: 1}),
        log ? Plot.axisY(ticks, {text: duration, label: "↑ time"}) : null,
        Plot.line(best, {x, y, curve: "step-after", stroke: "var(--ink)", strokeDasharray: "4 3", strokeOpacity: 0.7}),
        Plot.ruleX(known, {x, y1: "low", y2: "high", stroke: color, strokeWidth: 1.5}),
        Plot.dot(rows, {x, y, symbol: family, fill: color, stroke: "var(--surface)", strokeWidth: 1, r: 5.5}),
        Plot.dot(best, {x, y, r: 10, stroke: "var(--ink)", strokeWidth: 1.2}),
        Plot.text(numbered(best), {x, y, text: "numbers", dx: 9, dy: 11, textAnchor: "start", fontWeight: 700, ...halo, fill: "var(--ink)"}),
        Plot.tip(rows, Plot.pointer({x, y, title: "detail", fontSize: 12, lineHeight: 1.3})),
      ],
    });
  }

  // describe gives a chart a text in place of its shapes.
  function describe(svg, text) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", text);
    return svg;
  }

  // ---- Copying.

  function tableText(table) {
    const cells = (tr) => [...tr.cells].map((td) => td.textContent.trim().replace(/\s+/g, " ")).join("\t");
    return [...table.rows].filter((tr) => !tr.hidden).map(cells).join("\n") + "\n";
  }

  async function copy(button) {
    const before = button.previousElementSibling;
    const table = before.querySelector("table");
    const text = table ? tableText(table) : before.textContent;
    const label = button.dataset.label ?? button.textContent;
    button.dataset.label = label;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(table ?? before);
      button.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
    }
    setTimeout(() => (button.textContent = label), 2000);
  }

  // ---- Light and dark.

  const theme = document.getElementById("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (prefersDark.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => (theme.textContent = isDark() ? "Light colours" : "Dark colours");

  // A page from a file may have no storage.
  function stored(value) {
    try {
      if (value) localStorage.setItem("protean-theme", value);
      return localStorage.getItem("protean-theme");
    } catch {
      return null;
    }
  }

  function setTheme(value) {
    if (value === "light" || value === "dark") document.documentElement.dataset.theme = value;
    nameTheme();
  }

  // ---- Starting.

  for (const e of all("#theme, #filters, button.copy")) e.hidden = false;
  setTheme(stored());
  prefersDark.addEventListener("change", nameTheme);
  theme.addEventListener("click", () => {
    const value = isDark() ? "light" : "dark";
    stored(value);
    setTheme(value);
  });
  for (const b of buttons) {
    b.addEventListener("click", () => {
      const set = chosen[b.dataset.key];
      if (!set.delete(b.dataset.value)) set.add(b.dataset.value);
      writeAddress();
      apply();
    });
  }
  document.getElementById("reset").addEventListener("click", () => {
    for (const key of keys) chosen[key].clear();
    writeAddress();
    apply();
  });
  // Going to a section leaves the filters in the address.
  for (const a of all("nav a, .skip")) {
    a.addEventListener("click", (e) => {
      const to = document.querySelector(a.getAttribute("href"));
      e.preventDefault();
      to.scrollIntoView();
      to.focus({preventScroll: true});
    });
  }
  for (const b of all("button.copy")) b.addEventListener("click", () => copy(b));
  addEventListener("hashchange", () => {
    if (location.hash && !location.hash.includes("=")) return;
    readAddress();
    apply();
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width || printing) return;
    width = innerWidth;
    draw();
  });
  // Paper has another width, and shows what is folded.
  const folded = new Set();
  const print = (now) => {
    printing = now;
    draw();
    for (const d of all("details")) {
      if (now && !d.open) folded.add(d);
      d.open = now || !folded.has(d);
    }
    if (!now) folded.clear();
  };
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));

  if (innerWidth < 640) document.getElementById("filters").open = false;
  readAddress();
  apply();
  document.documentElement.dataset.ready = "";
})();
