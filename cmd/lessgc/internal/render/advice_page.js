"use strict";
(() => {
const box = document.getElementById("site-search"), count = document.getElementById("site-count"), rest = document.getElementById("site-rest");
if (!box) return;
const sites = [...document.querySelectorAll("details.site")].map(site =>
	({site, text: [...site.querySelectorAll(".find")].map(e => e.textContent).join("\n").toLowerCase()}));

// A site stays if it has all words that were typed.
function filter() {
	const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
	let shown = 0;
	for (const {site, text} of sites) {
		site.hidden = !words.every(w => text.includes(w));
		if (!site.hidden) shown++;
	}
	if (rest && words.length) rest.open = true;
	count.textContent = words.length ? `${shown} of ${sites.length} lines` : "";
}

box.addEventListener("input", filter);
box.addEventListener("keydown", event => {
	if (event.key !== "Escape") return;
	box.value = "";
	filter();
});

// A link to a line opens it, and shows it if it was filtered out.
function reveal() {
	const site = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
	if (!site || !site.matches("details.site")) return;
	site.hidden = false;
	site.open = true;
	if (rest?.contains(site)) rest.open = true;
	site.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();
})();
