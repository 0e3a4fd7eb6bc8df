// ---- the field: a textarea over coloured lines; only the lines in view are drawn

var area = byId("robots"), field = byId("field"), gutter = byId("gutter"), painted = byId("paint"), effects = byId("effects");
var lineHeight = 20, padding = 6; // as edit.css has them
var mostPainted = 2000;           // characters of a line up to which it has colours
var text = "";                    // text of the field, as it was last read
var starts = [0];                 // where its lines begin

// The marks at lines, by line number from 1. They move with the lines until new ones arrive.
var marks = { found: new Map(), changes: new Map(), gone: new Map() };

var ops = { "+": "added", "-": "removed", "~": "edited", moved: "moved" };
var severities = { critical: ["✖", "Critical"], error: ["✕", "Error"], warning: ["!", "Warning"], info: ["i", "Info"] };
var ranks = Object.keys(severities);

function readLines() {
  var before = starts.length;
  text = area.value;
  starts = [0];
  for (var i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return starts.length - before;
}

function lineOf(offset) {
  var low = 0, high = starts.length;
  while (high - low > 1) {
    var middle = low + high >> 1;
    if (starts[middle] <= offset) low = middle; else high = middle;
  }
  return low + 1;
}

function lineText(line) { return text.slice(starts[line - 1], line < starts.length ? starts[line] - 1 : text.length); }

// moveMarks moves the marks below an edit with their lines.
function moveMarks(by) {
  if (!by) return;
  var last = lineOf(area.selectionEnd) - Math.max(0, by);
  Object.keys(marks).forEach(function (name) {
    var moved = new Map();
    marks[name].forEach(function (of, line) { moved.set(line > last ? Math.max(1, line + by) : line, of); });
    marks[name] = moved;
  });
}

// ---- the colours of a line

var fields = { "user-agent": "agent", allow: "allow", disallow: "disallow", sitemap: "sitemap" };
var hides = /(?!\t)[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\u00a0\u2028\u2029]/gu;

// ranges are the styled parts of a line: [from, to, classes].
function ranges(line, found) {
  var list = [], hash = line.indexOf("#"), end = hash < 0 ? line.length : hash, colon = line.indexOf(":");
  if (colon >= 0 && colon < end) {
    var kind = fields[line.slice(0, colon).trim().toLowerCase()] || "other";
    list.push([0, colon + 1, "name " + kind], [colon + 1, end, "value " + kind]);
  } else if (line.slice(0, end).trim()) list.push([0, end, "nothing"]);
  if (hash >= 0) list.push([hash, line.length, "comment"]);
  for (var m of line.matchAll(hides)) list.push([m.index, m.index + m[0].length, "hidden"]);
  (found || []).forEach(function (f) {
    if (f.end_column > f.column) list.push([charAt(line, f.column), charAt(line, f.end_column), "found " + f.severity]);
  });
  return list;
}

// charAt is the index of a column, which counts bytes of UTF-8 without a byte order mark.
function charAt(line, column) {
  var i = line[0] === "\ufeff" ? 1 : 0;
  for (var bytes = 1; bytes < column && i < line.length; i++) {
    var c = line.codePointAt(i);
    bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (c > 0xffff) i++;
  }
  return i;
}

function paintedLine(line, found) {
  var row = document.createElement("div");
  if (line.length > mostPainted) {
    row.textContent = line;
    return row;
  }
  var looks = ranges(line, found), cuts = [0, line.length];
  looks.forEach(function (r) { cuts.push(r[0], r[1]); });
  cuts = Array.from(new Set(cuts)).sort(function (a, b) { return a - b; });
  for (var i = 1; i < cuts.length; i++) {
    var span = document.createElement("span");
    span.textContent = line.slice(cuts[i - 1], cuts[i]); // unescaped: it must match the textarea above it
    span.className = looks.filter(function (r) { return r[0] <= cuts[i - 1] && cuts[i] <= r[1]; }).map(function (r) { return r[2].replace(/\S+/g, "t-$&"); }).join(" ");
    row.append(span);
  }
  return row;
}

// ---- painting

function worst(found) { return found.reduce(function (a, f) { return ranks.indexOf(f.severity) < ranks.indexOf(a) ? f.severity : a; }, "info"); }

function gutterRow(line) {
  var row = element("div", "row"), found = marks.found.get(line), gone = marks.gone.get(line);
  var sign = element("span", "sign");
  if (found) {
    var severity = worst(found);
    sign.className += " " + severity;
    sign.textContent = severities[severity][0];
    row.title = found.slice(0, 5).map(function (f) { return severities[f.severity][1] + ": " + show(f.what) + ". " + show(f.why); }).join("\n");
  }
  if (gone) {
    row.className += " gone";
    row.title += (row.title && "\n") + plural(gone.lines, "line") + " removed above" + (gone.blocked ? ", which blocked " + number(gone.blocked) + " URLs" : "") + (gone.allowed ? ", " + number(gone.allowed) + " allowed" : "");
  }
  row.append(sign, element("span", "no", line <= starts.length ? line : ""));
  row.dataset.line = line;
  return row;
}

function changeRow(line) {
  var row = element("div", "row"), change = marks.changes.get(line);
  if (!change) return row;
  row.className += change.op === "+" ? " added" : " edited";
  row.title = ops[change.op] + ": " + changeWords(change);
  if (change.newly_blocked) row.append(element("span", "minus", "−" + number(change.newly_blocked)), " ");
  if (change.newly_allowed) row.append(element("span", "plus", "+" + number(change.newly_allowed)));
  if (!row.firstChild) row.append(element("span", "dim", ops[change.op]));
  row.dataset.line = line;
  return row;
}

function changeWords(change) {
  if (change.not_counted) return "its effect is unknown";
  var words = [];
  if (change.newly_blocked) words.push(plural(change.newly_blocked, "URL") + " newly blocked");
  if (change.newly_allowed) words.push(plural(change.newly_allowed, "URL") + " newly allowed");
  if (change.other_flips) words.push(plural(change.other_flips, "URL") + " unclear, or clear again");
  return words.join(", ") || "no effect by itself";
}

// paint draws the lines in view, with their marks.
function paint() {
  paint.due = false;
  var first = Math.max(0, Math.floor((area.scrollTop - padding) / lineHeight)), last = Math.min(starts.length, first + Math.ceil(area.clientHeight / lineHeight) + 2);
  var top = padding + first * lineHeight - area.scrollTop;
  var numbers = document.createDocumentFragment(), lines = document.createDocumentFragment(), rows = document.createDocumentFragment();
  for (var line = first + 1; line <= last; line++) {
    numbers.append(gutterRow(line));
    lines.append(paintedLine(lineText(line), marks.found.get(line)));
    rows.append(changeRow(line));
  }
  if (last === starts.length && marks.gone.has(last + 1)) numbers.append(gutterRow(last + 1));
  if (!painted.firstChild) painted.append(document.createElement("div"));
  var down = "translateY(" + top + "px)";
  [[gutter, numbers, down], [painted, lines, "translate(" + -area.scrollLeft + "px," + top + "px)"], [effects, rows, down]].forEach(function (of) {
    of[0].firstElementChild.replaceChildren(of[1]);
    of[0].firstElementChild.style.transform = of[2];
  });
  var digits = String(starts.length).length;
  if (digits !== paint.digits) field.style.setProperty("--digits", paint.digits = digits);
  field.classList.toggle("effects-shown", marks.changes.size > 0);
}

function repaint() {
  if (paint.due) return;
  paint.due = true;
  requestAnimationFrame(paint);
}

area.addEventListener("scroll", repaint, { passive: true });
new ResizeObserver(repaint).observe(area);

// The columns beside the field scroll with it. A click on a row goes to its line.
[gutter, effects].forEach(function (column) {
  column.addEventListener("wheel", function (e) { area.scrollTop += e.deltaY; }, { passive: true });
  column.addEventListener("click", function (e) {
    var row = e.target.closest("[data-line]");
    if (row) goLine(+row.dataset.line);
  });
});

// goLine selects a line, or columns of it.
function goLine(line, column, endColumn) {
  line = Math.min(Math.max(1, line), starts.length);
  var of = lineText(line), from = starts[line - 1];
  area.focus({ preventScroll: true });
  area.setSelectionRange(from + (column ? charAt(of, column) : 0), from + (endColumn ? charAt(of, endColumn) : column ? charAt(of, column) : 0));
  area.scrollTop = Math.max(0, (line - 1) * lineHeight - area.clientHeight / 2);
  if (!column || column < 60) area.scrollLeft = 0;
  field.scrollIntoView({ block: "nearest" });
  repaint();
  showHere();
}

// ---- the notes on the line at the caret

function showHere() {
  showHere.due = false;
  var line = lineOf(area.selectionStart), found = marks.found.get(line) || [], change = marks.changes.get(line);
  var at = element("p", "at", "Line " + number(line) + " of " + number(starts.length));
  at.setAttribute("aria-hidden", "true"); // screen readers read the line itself
  var of = [at];
  if (change) of.push(element("p", "", "This line was " + ops[change.op] + ": " + changeWords(change) + "."));
  found.slice(0, 5).forEach(function (f) { of.push(findingText(f)); });
  var key = of.map(function (e) { return e.textContent; }).join("\n");
  if (key === showHere.shown) return;
  showHere.shown = key;
  byId("here").replaceChildren.apply(byId("here"), of);
}

function hereSoon() {
  if (showHere.due) return;
  showHere.due = true;
  requestAnimationFrame(showHere);
}

document.addEventListener("selectionchange", function () { if (document.activeElement === area) hereSoon(); });
