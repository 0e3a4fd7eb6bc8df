// ---- changes and findings

var result = null;  // the answer that is shown
var linted = null;  // the findings that are shown
var pressed = "";   // class of the changes that the examples show; "" = all
var whole = {};     // tables of which all rows are shown, by name
var perTable = 20;

var classes = { newly_blocked: "newly blocked", newly_allowed: "newly allowed", now_unclear: "now unclear", clear_again: "clear again" };

// base is the text that the changes are compared with: its key, and its name.
function base() {
  var of = byId("sift").elements.against;
  return { key: of.value, name: of.selectedOptions[0].textContent, live: of.value === "live" };
}

function chosenCrawler() { return byId("sift").elements.crawler.value; }

// counts are the changed pages, for the chosen crawler or for any.
function counts() {
  if (!chosenCrawler()) return result.told.totals;
  return result.told.flips[chosenCrawler()] || { newly_blocked: 0, newly_allowed: 0, now_unclear: 0, clear_again: 0 };
}

// ticked returns a text with the parts between backticks as code.
function ticked(of) {
  var list = document.createDocumentFragment();
  String(of).split("`").forEach(function (part, i) { list.append(i % 2 ? element("code", "", part) : show(part)); });
  return list;
}

function button(words, act, label) {
  var b = element("button", "small", words);
  b.type = "button";
  if (label) b.setAttribute("aria-label", label);
  b.addEventListener("click", act);
  return b;
}

function lineButton(line) {
  var b = button("line " + number(line), function () { goLine(line); });
  b.className = "pick";
  return b;
}

// statusWords returns the line above the editor.
function statusWords() {
  var c = counts(), known = number(result.known_urls) + " URLs", tested = " tested in " + number(Math.max(1, Math.round(result.took_ms))) + " ms.";
  var of = chosenCrawler() ? " for " + show(chosenCrawler()) : "";
  if (result.same && still()) return (result.base.live ? "As in this run. " : "The same as: " + result.base.name + ". ") + known + tested;
  var words = number(c.newly_blocked) + " newly blocked, " + number(c.newly_allowed) + " newly allowed";
  if (c.now_unclear) words += ", " + number(c.now_unclear) + " now unclear";
  if (c.clear_again) words += ", " + number(c.clear_again) + " clear again";
  return words + of + " of " + known + tested;
}

// still reports whether nothing changes. Even the run's own text can change verdicts, if not all addresses answered with it.
function still() { return Object.keys(classes).every(function (name) { return !result.told.totals[name]; }); }

// showChanges shows the changes.
function showChanges(answer) {
  result = answer;
  result.base = base();
  marks.changes = new Map();
  marks.gone = new Map();
  var moved = 0, widest = 2;
  result.told.robots.diff.forEach(function (l) {
    if (l.op === "-") {
      var line = Math.max(1, l.old_line + moved--), gone = marks.gone.get(line) || { lines: 0, blocked: 0, allowed: 0 };
      gone.lines++;
      gone.blocked += l.newly_blocked;
      gone.allowed += l.newly_allowed;
      marks.gone.set(line, gone);
    } else {
      if (l.op === "+") moved++;
      marks.changes.set(l.new_line, l);
      widest = Math.max(widest, (l.newly_blocked ? number(l.newly_blocked).length + 2 : 0) + (l.newly_allowed ? number(l.newly_allowed).length + 2 : 0), l.newly_blocked || l.newly_allowed ? 0 : ops[l.op].length);
    }
  });
  field.style.setProperty("--effects", widest);
  repaint();
  hereSoon();
  drawChanges();
}

function drawChanges() {
  if (!result) return;
  var of = result.told, c = counts(), crawler = chosenCrawler();
  byId("status").textContent = statusWords();
  var lead = element("p");
  lead.append(ticked(result.same && still() ? "This is the " + (result.base.live ? "robots.txt of this run." : "same text as: " + result.base.name + ".") : of.lead));
  byId("lead").replaceChildren(lead);
  if (!result.base.live) byId("lead").append(element("p", "note", "Before: " + result.base.name + ". Patch, pull request text and expectations compare with the robots.txt of this run."));
  if (result.same && result.base.live && !still()) byId("lead").append(element("p", "note", "This is the text of this run. It is tested as if each address of the host answered with it, but in this run not all did."));
  (of.notes || []).concat(kindNotes(of.kinds)).forEach(function (note) { byId("lead").append(element("p", "note", note)); });
  byId("tiles").replaceChildren.apply(byId("tiles"), Object.keys(classes).filter(function (name) { return !/clear/.test(name) || c[name] || pressed === name; }).map(function (name) {
    var item = element("li"), tile = element("button", "tile " + name), n = element("b", "", number(c[name]));
    tile.type = "button";
    tile.dataset.class = name;
    tile.setAttribute("aria-pressed", String(pressed === name));
    tile.append(n, classes[name]);
    item.append(tile);
    return item;
  }));
  var samples = of.samples.filter(function (s) {
    return (!pressed || s.class === pressed) && (!crawler || s.crawler === crawler || (s.also || []).indexOf(crawler) >= 0);
  });
  fill("examples", samples, exampleRow, of.samples_more ? plural(of.samples_more, "more URL") + " with a change. Download the expectations for all." : "");
  fill("lines", of.robots.diff, changedRow, of.robots.diff_more ? plural(of.robots.diff_more, "more different line") + "." : "");
  byId("crawlers").classList.toggle("plain", !of.totals.now_unclear && !of.totals.clear_again);
  fill("crawlers", Object.keys(of.flips).filter(function (name) { return !crawler || name === crawler; }), crawlerRow, "");
  var most = of.directories.reduce(function (most, d) { return Math.max(most, d.newly_blocked, d.newly_allowed); }, 1);
  fill("directories", of.directories, function (d) { return directoryRow(d, most); }, of.directories_more ? plural(of.directories_more, "more directory").replace(/ys$/, "ies") + "." : "");
  fill("templates", of.templates, templateRow, of.templates_more ? plural(of.templates_more, "more template") + "." : "");
}

// kindNotes returns notes on resources, which are not counted with pages.
function kindNotes(kinds) {
  return Object.keys(kinds || {}).map(function (kind) {
    var k = kinds[kind];
    return "Other URLs of the kind " + kind + ": " + number(k.newly_blocked) + " newly blocked, " + number(k.newly_allowed) + " newly allowed.";
  });
}

// fill fills a table; with no row it is hidden.
function fill(name, rows, toRow, more) {
  var section = byId(name), shown = whole[name] ? rows.length : perTable, note = section.querySelector(".more");
  section.hidden = !rows.length;
  section.querySelector("tbody").replaceChildren.apply(section.querySelector("tbody"), rows.slice(0, shown).map(toRow));
  note.replaceChildren();
  if (rows.length > perTable) note.append(button("Show " + number(whole[name] ? perTable : rows.length), function () {
    whole[name] = !whole[name];
    drawChanges();
    var again = section.querySelector(".more button");
    if (again) again.focus();
  }, "Show " + number(whole[name] ? perTable : rows.length) + " rows: " + section.querySelector("h2").textContent), " ");
  if (more) note.append("And " + more);
}

function row(name) {
  var tr = element("tr", name);
  for (var i = 1; i < arguments.length; i++) tr.append(arguments[i]);
  return tr;
}

function cell(className, of) {
  var td = element("td", className);
  if (of !== undefined) td.append(of);
  return td;
}

function countCell(n, sub, hits) {
  var td = cell("n", n ? number(n) : "–");
  if (n && sub) td.append(element("span", "sub", number(sub) + " clicks"));
  if (n && hits) td.append(element("span", "sub", number(hits) + " hits"));
  return td;
}

function head(of) {
  var th = element("th");
  th.scope = "row";
  th.append(of);
  return th;
}

function decided(verdict, rule, line, go) {
  var td = cell("rule", { allow: "allowed", disallow: "blocked" }[verdict] || verdict);
  if (!rule) return td;
  var code = element("code", "means");
  code.append(bidi(rule));
  td.append(code);
  if (go) td.append(lineButton(line)); else td.append(element("span", "sub", "line " + number(line) + (result.base.live ? " in this run" : " before")));
  return td;
}

// ofSite returns a URL without the origin of the edited file.
function ofSite(url) { return setup.origin && url.indexOf(setup.origin + "/") === 0 ? url.slice(setup.origin.length) : url; }

function exampleRow(s) {
  var crawlers = [s.crawler].concat(s.also || []), url = head(bidi(ofSite(s.url))), what = cell("words"), act = cell("act");
  url.className = "url";
  if (s.kind) url.append(element("span", "sub", s.kind));
  if (s.weight > 1) url.append(element("span", "sub", number(s.weight) + " clicks"));
  if (s.hits) url.append(element("span", "sub", number(s.hits) + " hits"));
  what.append(element("b", "change " + s.class, (classes[s.class] || s.class).replace(/_/g, " ")), show(" for " + crawlers.join(", ")), element("span", "sub flow"));
  what.lastChild.append(ticked(s.why));
  var want = { newly_blocked: "allow", newly_allowed: "disallow" }[s.class];
  if (want) act.append(wishButton(want, s.url, crawlers));
  return row("", url, what, decided(s.was, s.old_rule, s.old_line), decided(s.is, s.new_rule, s.new_line, true), act);
}

// wishButton frees or blocks a URL for crawlers; without crawlers a directory, for all.
function wishButton(want, of, crawlers) {
  var word = want === "allow" ? "Unblock" : "Block";
  return button(word, function () { wish(want, [of], crawlers, !crawlers); }, word + " " + show(of) + " for " + show(crawlers ? crawlers.join(", ") : "all crawlers"));
}

function changedRow(l) {
  var line = cell("n"), of = cell("rule"), code = element("code", "", l.text || " ");
  if (l.op === "-") line.append("−", element("span", "sub", "was " + number(l.old_line))); else line.append(lineButton(l.new_line));
  of.append(element("span", "sub", ops[l.op]), code);
  if (l.old_text !== undefined && l.op === "~") {
    of.append(element("span", "sub", "before"), element("code", "dim", l.old_text || " "));
  }
  if (l.not_counted) of.append(element("span", "sub flow", "Its effect is unknown."));
  return row(ops[l.op], line, of, countCell(l.newly_blocked), countCell(l.newly_allowed));
}

function crawlerRow(name) {
  var f = result.told.flips[name];
  return row("", head(show(name)), countCell(f.newly_blocked, f.clicks_blocked, f.hits_blocked), countCell(f.newly_allowed, f.clicks_allowed, f.hits_allowed), countCell(f.now_unclear), countCell(f.clear_again));
}

function directoryRow(d, most) {
  var name = head(d.path ? bidi(d.path) : "all others"), act = cell("act");
  if (d.path && !d.host && d.newly_blocked) act.append(wishButton("allow", d.path), " ");
  if (d.path && !d.host && d.newly_allowed) act.append(wishButton("disallow", d.path));
  if (d.host) name.append(element("span", "sub", d.host));
  return row("", name, countCell(d.newly_blocked), cell("barcell", bar(d.newly_blocked, d.newly_allowed, most)), cell("", d.newly_allowed ? number(d.newly_allowed) : "–"), act);
}

// bar has what is blocked to the left of its middle, and what is allowed to the right.
function bar(blocked, allowed, most) {
  var space = "http://www.w3.org/2000/svg", svg = document.createElementNS(space, "svg");
  function rect(name, x, width) {
    var r = document.createElementNS(space, "rect");
    r.setAttribute("class", name);
    r.setAttribute("x", x);
    r.setAttribute("width", width);
    r.setAttribute("height", 10);
    svg.append(r);
  }
  function length(n) { return n ? Math.max(6, Math.round(500 * n / most)) : 0; }
  svg.setAttribute("class", "bar");
  svg.setAttribute("viewBox", "0 0 1000 10");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  rect("bg", 0, 1000);
  rect("b", 500 - length(blocked), length(blocked));
  rect("a", 500, length(allowed));
  rect("mid", 498, 4);
  return svg;
}

function templateRow(t) {
  var example = cell("url", bidi(ofSite(t.example)));
  return row("", head(t.template ? bidi(t.template) : "all others"), countCell(t.newly_blocked), countCell(t.newly_allowed), example);
}

byId("tiles").addEventListener("click", function (e) {
  var tile = e.target.closest("[data-class]");
  if (!tile) return;
  pressed = pressed === tile.dataset.class ? "" : tile.dataset.class;
  var name = tile.dataset.class;
  drawChanges();
  byId("tiles").querySelector("[data-class=" + name + "]").focus();
});

byId("sift").addEventListener("input", function (e) { if (e.target.name === "against") changed(); else drawChanges(); });
byId("sift").addEventListener("submit", function (e) { e.preventDefault(); });

// ---- findings

// badge is a severity, in a sign and a word.
function badge(severity) {
  var b = element("span", "state " + severity), sign = element("span", "sign", severities[severity][0]);
  sign.setAttribute("aria-hidden", "true");
  b.append(sign, " " + severities[severity][1]);
  return b;
}

// findingText is a finding in words, with a button if it has a fix.
function findingText(f) {
  var p = element("p", "finding");
  p.append(badge(f.severity), " ");
  p.append(element("b", "", f.what + "."), show(" " + f.why + " " + f.fix));
  if (f.more) p.append(show(" And " + number(f.more) + " more of these."));
  var mended = f.replacement || f.delete;
  if (mended) {
    p.append(" ", button("Fix", function () { fix(f); }, "Fix: " + show(f.what)));
    p.append(" ", element("span", "dim", (f.replacement ? "inserts: " : "deletes " + (f.delete.length === 1 ? "line " : "lines ") + f.delete.slice(0, 5).map(number).join(", ") + (f.delete.length > 5 ? ", …" : ""))));
    if (f.replacement) p.append(element("code", "", f.replacement));
    p.append(element("span", "dim", f.harmless ? " (changes no verdict)" : " (may change verdicts)"));
  }
  return p;
}

// mark shows the findings.
function mark(answer) {
  linted = answer;
  linted.text = text;
  marks.found = new Map();
  linted.findings.forEach(function (f) {
    if (!f.line) return;
    if (!marks.found.has(f.line)) marks.found.set(f.line, []);
    marks.found.get(f.line).push(f);
  });
  repaint();
  hereSoon();
  var key = JSON.stringify(linted.findings);
  if (key === mark.shown) return;
  mark.shown = key;
  var c = linted.counts, words = ranks.filter(function (s) { return c[s]; }).map(function (s) {
    return number(c[s]) + " " + (s === "critical" || s === "info" ? s : s + (c[s] === 1 ? "" : "s"));
  });
  byId("findings-count").textContent = words.length ? words.join(", ") : "No findings.";
  byId("next").disabled = byId("before").disabled = !marks.found.size;
  drawFindings();
}

function drawFindings() {
  var most = whole.findings ? linted.findings.length : perTable, list = linted.findings.slice();
  list.sort(function (a, b) { return ranks.indexOf(a.severity) - ranks.indexOf(b.severity) || a.line - b.line; });
  byId("findings").replaceChildren.apply(byId("findings"), list.slice(0, most).map(function (f) {
    var item = element("li"), p = findingText(f), at = f.line ? lineButton(f.line) : element("span", "dim", "whole file");
    if (f.line) at.addEventListener("click", function (e) { e.stopImmediatePropagation(); goLine(f.line, f.column, f.end_column); }, true);
    p.insertBefore(at, p.firstChild.nextSibling);
    p.insertBefore(document.createTextNode(" "), at);
    p.insertBefore(document.createTextNode(" "), at.nextSibling);
    item.append(p);
    return item;
  }));
  if (list.length > perTable && !whole.findings) {
    var item = element("li");
    item.append(button("Show " + number(list.length) + " findings", function () { whole.findings = true; drawFindings(); }));
    byId("findings").append(item);
  }
  if (linted.more) byId("findings").append(element("li", "dim", "And " + plural(linted.more, "more finding") + "."));
}

// fix applies the fix of a finding, unless the text has changed since.
function fix(f) {
  if (!linted || linted.text !== text) return notify("The text is being tested. Try again in a moment.");
  var lines = text.split("\n"), bom = text[0] === "\ufeff" && f.line === 1 && (f.replacement || "")[0] !== "\ufeff" ? "\ufeff" : "";
  if (f.replacement) lines[f.line - 1] = bom + f.replacement;
  else f.delete.slice().reverse().forEach(function (line) { lines.splice(line - 1, 1); });
  put(lines.join("\n"));
  notify("Fixed: " + f.what + ".", undoButton());
}

function goFinding(by) {
  var list = Array.from(marks.found.keys()).sort(function (a, b) { return a - b; });
  if (!list.length) return;
  var here = lineOf(area.selectionStart), at = document.activeElement === area ? here : by > 0 ? 0 : Infinity;
  var line = by > 0 ? list.find(function (l) { return l > at; }) || list[0] : list.reverse().find(function (l) { return l < at; }) || list[0];
  var f = marks.found.get(line)[0];
  goLine(line, f.column, f.end_column);
}

byId("next").addEventListener("click", function () { goFinding(1); });
byId("before").addEventListener("click", function () { goFinding(-1); });
document.addEventListener("keydown", function (e) {
  if (e.key !== "F8" || e.ctrlKey || e.altKey || e.metaKey) return;
  e.preventDefault();
  goFinding(e.shiftKey ? -1 : 1);
});
