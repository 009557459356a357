"use strict";
(() => {
const ROW = 19, MOST_ROWS = 200, LEAST = 0.5; // pixels, rows of a drawing, pixels of a frame
const KINDS = ["library", "own", "runtime", "sum"];
const SVG = "http://www.w3.org/2000/svg";
const part = id => document.getElementById("flame-" + id);
const host = part("host"), search = part("search"), status = part("status"), matched = part("matched");
const tip = part("tip"), crumbs = part("crumbs"), out = part("out"), before = part("before");
const data = JSON.parse(part("data").textContent);
const tabs = data.graphs.map((_, i) => part("tab-" + i));
const notes = document.querySelectorAll(".flame-note");
const still = matchMedia("(prefers-reduced-motion: reduce)");

// read makes frames of the nodes of a graph, which come each before its children.
function read(graph) {
	const nodes = graph.nodes, open = [];
	let root = null;
	for (let at = 0; at < nodes.length; ) {
		const name = data.names[nodes[at++]], count = nodes[at++], value = nodes[at++];
		const frame = {name: name.name, kind: name.kind, value, before: graph.diff ? nodes[at++] : 0, children: [], parent: null};
		while (open.length && open.at(-1).left === 0) open.pop();
		const parent = open.at(-1);
		if (parent) {
			parent.left--;
			parent.frame.children.push(frame);
			frame.parent = parent.frame;
		}
		root ??= frame;
		open.push({frame, left: count});
	}
	return root;
}

const views = data.graphs.map(graph => {
	const root = read(graph);
	return {title: graph.title, unit: graph.unit, diff: graph.diff, root, zoomed: [root], current: root};
});
let view = views[0];
let test = null;  // says whether a name matches the search; null without one
let rows = [];    // boxes that are drawn: {frame, x, w, row, g}
let drawnWidth = 0;

const size = frame => before?.checked && view.diff ? frame.before : frame.value;
const zoom = () => view.zoomed.at(-1);

// Words.

function amount(v, unit) {
	const [base, per] = unit.split("/");
	const rest = per ? "/" + per : "";
	const scale = (steps, names) => {
		let i = 0;
		while (i < names.length - 1 && v >= steps) { v /= steps; i++; }
		return digits(v) + "\u00a0" + names[i];
	};
	switch (base) {
	case "B": return scale(1024, ["B", "KiB", "MiB", "GiB", "TiB"]) + rest;
	case "sec": {
		let i = 0;
		while (i < 3 && v > 0 && v < 1) { v *= 1e3; i++; }
		return digits(v) + "\u00a0" + ["s", "ms", "µs", "ns"][i] + rest;
	}
	case "share": return percent(v) + " of CPU time";
	}
	return (v < 1e4 ? digits(v) : scale(1000, ["", "k", "M", "G", "T"])) + " " + base + rest;
}

function digits(v) {
	if (Number.isInteger(v) && v < 1000) return String(v);
	return v >= 100 ? String(Math.round(v)) : v.toFixed(Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(v)))));
}

function percent(v) {
	return (100 * v).toFixed(v > 0 && v < 0.00095 ? 2 : 1) + "\u00a0%";
}

// shares says how much a frame is, in the words of its graph.
function shares(frame) {
	const root = view.root;
	let text = amount(frame.value, view.unit);
	if (frame !== root && root.value > 0) text += ", " + percent(frame.value / root.value) + " of the graph";
	if (zoom() !== root && frame !== zoom() && zoom().value > 0) text += ", " + percent(frame.value / zoom().value) + " of the zoomed";
	if (view.diff) text += "; before " + amount(frame.before, view.unit) + ", " + change(frame);
	return text;
}

function change(frame) {
	if (frame.before === 0) return frame.value === 0 ? "unchanged" : "new";
	if (frame.value === 0) return "gone";
	const d = frame.value / frame.before - 1;
	return (d < 0 ? "\u2212" : "+") + percent(Math.abs(d));
}

function own(frame) {
	let rest = frame.value;
	for (const c of frame.children) rest -= c.value;
	return Math.max(0, rest);
}

// color is the class of a change: by how much, of the larger of both.
function color(frame) {
	const d = (frame.value - frame.before) / Math.max(frame.value, frame.before, 1e-300);
	const steps = Math.abs(d) > 0.6 ? 3 : Math.abs(d) > 0.25 ? 2 : Math.abs(d) > 0.05 ? 1 : 0;
	return steps === 0 ? "same" : (d > 0 ? "up" : "down") + steps;
}

// label cuts a name to what has room, without the folders of its package.
function label(name, width) {
	const room = Math.floor((width - 7) / 7.3);
	if (room < 3) return "";
	const short = name.replace(/^[^\s([]*\//, "");
	const wide = /[^\x20-\x7e]/.test(short) ? Math.floor(room / 2) : room;
	return short.length <= wide ? short : wide < 3 ? "" : short.slice(0, wide - 1) + "…";
}

// Drawing.

function element(name, attributes, parent) {
	const e = document.createElementNS(SVG, name);
	for (const key in attributes) e.setAttribute(key, attributes[key]);
	parent?.append(e);
	return e;
}

// layout finds the place of every frame that is wide enough to be seen.
function layout(width) {
	rows = [];
	let cut = false;
	const open = [[zoom(), 0, width, 0]];
	while (open.length) {
		const [frame, x, w, row] = open.pop();
		if (row >= MOST_ROWS) {
			cut = true;
			continue;
		}
		(rows[row] ??= []).push({frame, x, w, row});
		let at = x;
		for (const c of frame.children) {
			const part = w * size(c) / (size(frame) || 1);
			if (part >= LEAST) open.push([c, at, part, row + 1]);
			at += part;
		}
	}
	for (const row of rows) row.sort((a, b) => a.x - b.x);
	part("cut").hidden = !cut;
}

function draw() {
	const width = host.clientWidth;
	if (width === 0) return;
	drawnWidth = width;
	layout(width);
	const height = rows.length * ROW;
	const svg = element("svg", {viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true"});
	svg.classList.toggle("searching", test !== null);
	svg.classList.toggle("diff", view.diff);
	for (const row of rows) for (const box of row) drawBox(box, svg);
	host.replaceChildren(svg);
	host.setAttribute("aria-label", "Flame graph: " + view.title);
	view.current = boxOf(view.current).frame;
	mark();
	return svg;
}

function drawBox(box, svg) {
	const {frame, x, w, row} = box;
	const g = element("g", {class: KINDS[frame.kind]}, svg);
	if (view.diff) g.classList.add(color(frame));
	if (w < 3) g.classList.add("thin"); // or there would be nothing but its edge
	if (test?.(frame.name)) g.classList.add("hit");
	element("rect", {x: x.toFixed(2), y: row * ROW, width: w.toFixed(2), height: ROW - 1, rx: w > 8 ? 2 : 0}, g);
	const text = label(frame.name, w);
	if (text) element("text", {x: (x + 4).toFixed(2), y: row * ROW + 13}, g).textContent = text;
	g.box = box;
	box.g = g;
}

// boxOf is where a frame is drawn, or where the zoomed one is.
function boxOf(frame) {
	for (const row of rows) for (const box of row) if (box.frame === frame) return box;
	return rows[0][0];
}

function mark() {
	for (const row of rows) for (const box of row) box.g.classList.toggle("current", box.frame === view.current);
}

function say(frame) {
	status.textContent = frame.name + ": " + shares(frame);
}

function drawCrumbs() {
	const path = [];
	for (let f = zoom(); f; f = f.parent) path.unshift(f);
	crumbs.replaceChildren();
	path.forEach((f, i) => {
		if (i > 0 && i < path.length - 4) {
			if (i === 1) crumbs.append("› … ");
			return;
		}
		if (i > 0) crumbs.append("› ");
		const item = document.createElement(f === zoom() ? "b" : "button");
		item.textContent = label(f.name, 300);
		if (f !== zoom()) {
			item.type = "button";
			item.addEventListener("click", () => zoomTo(f));
		}
		crumbs.append(item, " ");
	});
	out.disabled = view.zoomed.length === 1;
}

// Moves.

// select makes a frame the current one.
function select(frame) {
	view.current = frame;
	mark();
	say(frame);
}

function show(svg, from) {
	drawCrumbs();
	say(view.current);
	if (from && !still.matches) {
		svg.style.transformOrigin = "0 0";
		svg.animate([{transform: `translate(${from.x}px, ${from.y}px) scaleX(${from.w})`, opacity: 0.6}, {transform: "none", opacity: 1}], {duration: 160, easing: "ease-out"});
	}
}

function zoomTo(frame) {
	if (frame === zoom()) return;
	const box = boxOf(frame), inside = box.frame === frame;
	const above = new Set();
	for (let f = frame.parent; f; f = f.parent) above.add(f);
	view.zoomed = [...view.zoomed.filter(f => above.has(f)), frame];
	view.current = frame;
	show(draw(), inside && {x: box.x, y: box.row * ROW, w: box.w / drawnWidth});
}

function zoomOut() {
	if (view.zoomed.length === 1) return;
	view.current = view.zoomed.pop();
	show(draw());
}

function open(i) {
	view = views[i];
	tabs.forEach((tab, k) => {
		tab.setAttribute("aria-selected", String(k === i));
		tab.tabIndex = k === i ? 0 : -1;
		notes[k].hidden = k !== i;
	});
	part("panel").setAttribute("aria-labelledby", tabs[i].id);
	show(draw());
	find();
}

// walk returns the frame that an arrow key leads to.
function walk(key) {
	const box = boxOf(view.current), row = rows[box.row], at = row.indexOf(box);
	switch (key) {
	case "ArrowDown": return rows[box.row + 1]?.find(b => b.frame.parent === box.frame)?.frame;
	case "ArrowUp": return box.row > 0 ? box.frame.parent : undefined;
	case "ArrowLeft": return row[at - 1]?.frame;
	case "ArrowRight": return row[at + 1]?.frame;
	case "Home": return row[0].frame;
	case "End": return row.at(-1).frame;
	}
}

// Search.

// tester makes a test of a text: a regular expression if it is one, or what names hold.
function tester(text) {
	const lower = text.toLowerCase();
	let pattern = null;
	try {
		pattern = new RegExp(text, "i");
	} catch {
		// It is a name then, such as main.(*T).M.
	}
	return name => name.toLowerCase().includes(lower) || pattern !== null && pattern.test(name);
}

// matches lists the outermost frames that match: those below are part of them.
function matches() {
	const found = [], open = [view.root];
	while (open.length) {
		const frame = open.pop();
		if (test(frame.name)) found.push(frame);
		else open.push(...frame.children);
	}
	return found;
}

function find() {
	const text = search.value.trim();
	test = text ? tester(text) : null;
	const svg = host.firstChild;
	svg?.classList.toggle("searching", test !== null);
	for (const row of rows) for (const box of row) box.g.classList.toggle("hit", test !== null && test(box.frame.name));
	if (!test) {
		matched.textContent = "";
		return;
	}
	let sum = 0;
	for (const f of matches()) sum += size(f);
	matched.textContent = "matched: " + percent(sum / (size(view.root) || 1));
}

// firstMatch is the widest frame that matches and is drawn.
function firstMatch() {
	let best = null;
	for (const row of rows) for (const box of row) if (test?.(box.frame.name) && (!best || box.w > best.w)) best = box;
	return best?.frame;
}

// Events.

host.addEventListener("keydown", event => {
	if (event.ctrlKey || event.altKey || event.metaKey) return;
	const next = walk(event.key);
	if (next) select(next);
	else if (event.key === "Enter" || event.key === " ") zoomTo(boxOf(view.current).frame);
	else if (event.key === "Escape" || event.key === "Backspace") zoomOut();
	else if (!event.key.startsWith("Arrow")) return;
	event.preventDefault();
	boxOf(view.current).g.scrollIntoView({block: "nearest"});
});
host.addEventListener("click", event => {
	const box = event.target.closest("g")?.box;
	tip.hidden = true;
	if (box?.frame === zoom()) select(box.frame);
	else if (box) zoomTo(box.frame);
});
host.addEventListener("pointermove", event => {
	const box = event.target.closest("g")?.box;
	tip.hidden = !box || event.pointerType !== "mouse";
	if (tip.hidden) return;
	const name = document.createElement("b");
	name.textContent = box.frame.name;
	tip.replaceChildren(name, shares(box.frame));
	if (box.frame.children.length && own(box.frame) > 0) tip.append(document.createElement("br"), "itself " + amount(own(box.frame), view.unit));
	const area = tip.parentNode.getBoundingClientRect();
	tip.style.left = Math.max(0, Math.min(event.clientX - area.left + 14, area.width - tip.offsetWidth)) + "px";
	const below = event.clientY + 20 + tip.offsetHeight < innerHeight;
	tip.style.top = event.clientY - area.top + (below ? 18 : -14 - tip.offsetHeight) + "px";
});
host.addEventListener("pointerleave", () => { tip.hidden = true; });
out.addEventListener("click", zoomOut);
before?.addEventListener("change", () => { show(draw()); find(); });
search.addEventListener("input", find);
search.addEventListener("keydown", event => {
	const frame = event.key === "Enter" && firstMatch();
	if (event.key === "Escape") {
		search.value = "";
		find();
	} else if (!frame) return;
	event.preventDefault();
	host.focus();
	if (frame) select(frame);
});
tabs.forEach((tab, i) => {
	tab.addEventListener("click", () => open(i));
	tab.addEventListener("keydown", event => {
		const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
		if (!step) return;
		event.preventDefault();
		const to = (i + step + tabs.length) % tabs.length;
		tabs[to].focus();
		open(to);
	});
});
document.addEventListener("keydown", event => {
	if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input:not([type=checkbox]), textarea, select")) return;
	event.preventDefault();
	search.focus();
	search.select();
});
new ResizeObserver(() => { if (host.clientWidth !== drawnWidth) draw(); }).observe(host);
open(0);
})();
