// ---- the compared sites

var severities = { critical: ["✕", "Critical"], high: ["!", "High"], medium: ["●", "Medium"], info: ["i", "Info"] };
var grades = ["critical", "high", "medium", "info", ""];
var counts = ["newly_blocked", "newly_allowed", "now_unclear", "clear_again", "appeared_blocked", "appeared", "vanished", "known"];

// A site: name, the part of this page that is about it ("" = none), severity, what
// changed, weight of its changed verdicts, and the counts.
var kind = {
  noun: "site",
  pressed: "class",
  decode: function (part) {
    return part.rows.map(function (r) {
      var site = { name: r[0], id: r[1], severity: r[2], what: r[3], weight: r[4] };
      counts.forEach(function (c, i) { site[c] = r[5 + i]; });
      return site;
    });
  },
  keys: {
    name: function (r) { return r.name; },
    severity: function (r) { return grades.indexOf(r.severity); },
    weight: function (r) { return -r.weight; }
  },
  matcher: function (f) {
    if (!f.text && !f.class && !f.severity) return null;
    var text = f.text.toLowerCase();
    return function (r) {
      return (!f.class || r[f.class] > 0) && (!f.severity || r.severity === f.severity) && (!text || (r.name + "\n" + r.what).toLowerCase().indexOf(text) >= 0);
    };
  },
  cells: function (r) {
    var name = element("th", "url"), state = element("td"), words = severities[r.severity];
    name.scope = "row";
    if (r.id) {
      var a = element("a");
      a.href = "#" + r.id;
      a.append(bidi(r.name));
      name.append(a);
    } else name.append(bidi(r.name));
    if (words) {
      var badge = element("span", "state " + r.severity), sign = element("span", "sign", words[0]);
      sign.setAttribute("aria-hidden", "true");
      badge.append(sign, " " + words[1]);
      state.append(badge);
    } else state.append("–");
    var cells = [name, state, element("td", "words", r.what)];
    function add(c, label) {
      var cell = element("td", r[c] ? "n" : "n zero", r[c] ? number(r[c]) : "–");
      cell.dataset.label = label || c.replace(/_/g, " ").replace("appeared b", "appeared, b");
      cells.push(cell);
    }
    setup.counts.forEach(function (c) { add(c); });
    if (setup.clicks) add("weight", "clicks of what flips");
    add("known", "known to both");
    return cells;
  }
};
counts.forEach(function (c) { kind.keys[c] = function (r) { return -r[c]; }; });

// ---- folded parts: a link to one opens it

function unfold() {
  var at = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
  var folded = at && at.closest("details");
  if (!folded) return;
  folded.open = true;
  at.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
document.addEventListener("click", function (e) { // the same link again changes no address
  var a = e.target.closest('a[href^="#site-"]');
  if (a && a.getAttribute("href") === location.hash) unfold();
});
setTimeout(unfold, 0);

// Printing opens all folded parts, and folds them again afterwards.
window.addEventListener("beforeprint", function () {
  document.querySelectorAll("details:not([open])").forEach(function (d) { d.open = true; d.dataset.folded = ""; });
});
window.addEventListener("afterprint", function () {
  document.querySelectorAll("details[data-folded]").forEach(function (d) { d.open = false; delete d.dataset.folded; });
});

// ---- samples: each table has its own filters; a URL has a row for each kind of change

document.querySelectorAll("form.pickrows").forEach(function (form) {
  var rows = Array.from(form.parentNode.querySelectorAll("tbody")), said = form.querySelector("output");
  function sift() {
    var text = form.elements.text.value.toLowerCase(), flip = form.elements.flip.value, crawler = form.elements.crawler.value, shown = 0;
    rows.forEach(function (url) {
      var fits = (!text || url.textContent.toLowerCase().indexOf(text) >= 0) && (!flip && !crawler || Array.from(url.querySelectorAll("[data-flip]")).some(function (e) {
        return (!flip || e.dataset.flip === flip) && (!crawler || e.dataset.crawlers.split(" ").indexOf(crawler) >= 0);
      }));
      url.hidden = !fits;
      if (fits) shown++;
    });
    said.textContent = shown === rows.length ? "" : plural(shown, "URL") + " of " + number(rows.length) + (shown === 1 ? " fits" : " fit");
  }
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  form.addEventListener("input", sift);
  form.addEventListener("reset", function () { setTimeout(sift, 0); });
  form.hidden = false;
});
