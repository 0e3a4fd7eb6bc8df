// ---- the page's large table; kind describes its rows:
//
//   noun      what a row is
//   decode    a part of the rows, as stored in the page → rows
//   keys      by name of a column: row → its sort key
//   matcher   values of the filters → whether a row fits; null = all do
//   cells     row → its cells
//   block     row → the heading above it, if the rows are in their original order; may be missing
//   pressed   the filter that the buttons above the table set; may be missing

var searched = Math.min(setup.files, setup.searched || setup.files); // files whose rows stay in memory once they are read
var perPage = 100, printed = 2000;
var body = byId("table").tBodies[0];
var filters = byId("filters");
var parts = [];     // rows by part: 0 is in the page, the others are files
var loading = {};   // part → promise
var view = null;    // rows after filter and sort; null = all, as they come
var fitting = null; // number of rows that fit, of which view has the first; null = there is no filter
var sought = -1;    // a row to be shown and marked when its page is drawn next
var order = null;   // {by, down}
var page = 0;
var turn = 0;       // number of the last change: an older one that ends later is dropped

// ---- loading

window.robotsAuditRows = function (n, part) { parts[n] = kind.decode(part); };

// A page opened from disk may not read files, but may run scripts.
function load(n) {
  if (parts[n]) return Promise.resolve();
  if (!loading[n]) {
    loading[n] = new Promise(function (done, failed) {
      var s = document.createElement("script");
      s.src = setup.folder.split("/").map(encodeURIComponent).join("/") + "/" + n + ".js";
      s.onload = function () { s.remove(); parts[n] ? done() : failed(n); };
      s.onerror = function () { s.remove(); delete loading[n]; failed(n); };
      document.head.append(s);
    });
  }
  return loading[n];
}

function loadAll() {
  var all = [], there = 0;
  for (var n = 1; n <= searched; n++) {
    all.push(load(n).then(function () {
      there++;
      if (there < searched) say("Reading rows: " + there + " of " + searched + " files …");
    }));
  }
  return Promise.all(all);
}

// gather filters all rows into view, and keeps as many as fit into memory. It reads files that do not
// stay in memory one after the other, until the filters change.
function gather(mine, matches) {
  var found = [], count = 0, most = setup.inline + searched * setup.perFile;
  function take(n) {
    parts[n].forEach(function (r) {
      if (matches && !matches(r)) return;
      count++;
      if (found.length < most) found.push(r);
    });
  }
  function next(n) {
    if (n > setup.files || mine !== turn) return;
    say("Reading rows: " + n + " of " + setup.files + " files …");
    return load(n).then(function () {
      if (mine !== turn) return;
      take(n);
      delete parts[n];
      delete loading[n];
      return next(n + 1);
    });
  }
  return loadAll().then(function () {
    if (mine !== turn) return;
    for (var n = 0; n <= searched; n++) take(n);
    if (matches) return next(searched + 1);
  }).then(function () {
    if (mine !== turn) return;
    view = found;
    fitting = matches ? count : null;
  });
}

function partOf(row) { return row < setup.inline ? 0 : 1 + Math.floor((row - setup.inline) / setup.perFile); }

function rowAt(row) {
  var n = partOf(row);
  return parts[n][n === 0 ? row : (row - setup.inline) % setup.perFile];
}

// ---- the table

function say(text) { byId("status").textContent = text; }

function chosen() {
  var f = {};
  Array.prototype.forEach.call(filters.elements, function (e) { if (e.name) f[e.name] = e.value; });
  return f;
}

function missing(n) {
  say("Rows could not be read: " + setup.folder + "/" + n + ".js is missing beside this page. The workbook has all rows.");
}

// ---- the address has the state of the table, for bookmarks, links and the Back button

var kept = location.search; // of the address, as it was last written or read

function remember() {
  var query = new URLSearchParams();
  Array.prototype.forEach.call(filters.elements, function (e) { if (e.name && e.value) query.set(e.name, e.value); });
  if (order) query.set("sort", (order.down ? "-" : "") + order.by);
  if (page) query.set("page", page + 1);
  var text = query.toString();
  text = text && "?" + text;
  if (text === kept) return;
  kept = text;
  clearTimeout(remember.timer); // a browser takes only so many changes at a time
  remember.timer = setTimeout(function () {
    try { history.replaceState(history.state, "", location.pathname + text + location.hash); } catch (e) { } // not where the page is shown within another
  }, 100);
}

// restore sets filters, order and page from the address.
function restore() {
  var query = new URLSearchParams(location.search), by = query.get("sort") || "", down = by[0] === "-";
  kept = location.search;
  Array.prototype.forEach.call(filters.elements, function (e) { if (e.name) set(e, query.get(e.name) || ""); });
  by = by.replace("-", "");
  order = Object.keys(kind.keys).indexOf(by) >= 0 ? { by: by, down: down } : null;
  press(kind.pressed && query.get(kind.pressed));
  mark();
  refresh(Math.max(0, (parseInt(query.get("page"), 10) || 1) - 1));
}

// set sets a filter. It adds a value that the list does not have: the list may be shortened.
function set(field, value) {
  if (value && field.options && !Array.prototype.some.call(field.options, function (o) { return o.value === value; })) {
    var button = document.querySelector("[data-" + field.name + '="' + CSS.escape(value) + '"]');
    if (!button) return;
    field.add(new Option(show(button.textContent.trim()), value));
  }
  field.value = value;
}

// refresh filters and sorts, then draws the table page at, or the first.
function refresh(at) {
  var mine = ++turn, matches = kind.matcher(chosen());
  page = at || 0;
  if (!matches && !order) {
    view = null;
    return draw();
  }
  gather(mine, matches).then(function () {
    if (mine !== turn) return;
    if (order) sort();
    draw();
  }, missing);
}

function sort() {
  var key = kind.keys[order.by], sign = order.down ? -1 : 1;
  var keyed = view.map(function (r, i) { return { row: r, key: key(r), at: i }; });
  keyed.sort(function (a, b) {
    return a.key < b.key ? -sign : a.key > b.key ? sign : a.at - b.at;
  });
  view = keyed.map(function (k) { return k.row; });
}

// heading is a row with what the rows below have in common.
function heading(text) {
  var tr = element("tr", "block"), th = element("th", "", text);
  th.colSpan = byId("table").tHead.rows[0].cells.length;
  tr.append(th);
  return tr;
}

function draw(count) {
  var mine = turn, size = count || perPage;
  var total = view ? view.length : setup.rows;
  var last = Math.max(0, Math.ceil(total / perPage) - 1);
  page = Math.min(page, last);
  var from = page * perPage, to = Math.min(total, from + size);
  var first = view || total === 0 ? Promise.resolve() : Promise.all([load(partOf(from)), load(partOf(to - 1))]);
  var rows = function () {
    if (mine !== turn) return;
    var list = document.createDocumentFragment(), block = "", mark = null;
    for (var i = from; i < to; i++) {
      var r = view ? view[i] : rowAt(i), tr = document.createElement("tr");
      if (kind.block && !order && block !== kind.block(r)) list.append(heading(block = kind.block(r)));
      tr.append.apply(tr, kind.cells(r));
      if (!view && i === sought) mark = tr;
      list.append(tr);
    }
    body.replaceChildren(list);
    byId("place").textContent = total ? "Rows " + number(from + 1) + " to " + number(to) + " of " + number(total) : "No rows";
    say(view ? outcome() : "");
    grid.querySelectorAll("[data-go]").forEach(function (b) {
      b.disabled = /first|back/.test(b.dataset.go) ? page === 0 : page === last;
    });
    sought = -1;
    if (mark) point(mark);
    remember();
    grid.dataset.drawn = +(grid.dataset.drawn || 0) + 1;
  };
  if (view || parts[partOf(from)] && parts[partOf(Math.max(from, to - 1))]) rows();
  else first.then(rows, missing);
}

// outcome says how many of the rows match.
function outcome() {
  var all = number(setup.rows), some = view.length;
  if (fitting === null) return some < setup.rows ? "In this order are the first " + plural(some, kind.noun) + " of " + all : "";
  if (fitting === setup.rows && some === fitting) return "";
  return plural(fitting, kind.noun) + " of " + all + (fitting === 1 ? " fits" : " fit") + (some < fitting ? "; the first " + number(some) + " of them are here" : "");
}

// point scrolls to a row and highlights it.
function point(tr) {
  tr.className = "sought";
  tr.tabIndex = -1;
  tr.focus({ preventScroll: true });
  tr.scrollIntoView({ block: "center" });
}

function go(where) {
  var total = view ? view.length : setup.rows;
  var last = Math.max(0, Math.ceil(total / perPage) - 1);
  page = { first: 0, back: Math.max(0, page - 1), on: Math.min(last, page + 1), last: last }[where];
  draw();
  body.closest(".scroll").scrollTop = 0;
}

function choose(name, value) {
  filters.reset();
  set(filters.elements[name], value);
  refresh();
}

// ---- events

parts[0] = kind.decode(JSON.parse(byId("rows").textContent));

byId("table").querySelectorAll("th[data-sort]").forEach(function (th) {
  var b = element("button");
  b.type = "button";
  b.append.apply(b, Array.from(th.childNodes));
  th.append(b);
  b.addEventListener("click", function () {
    var by = th.dataset.sort;
    order = { by: by, down: order && order.by === by && !order.down };
    mark();
    refresh();
  });
});

// mark shows which column the rows are sorted by.
function mark() {
  byId("table").querySelectorAll("th[data-sort]").forEach(function (th) {
    th.setAttribute("aria-sort", !order || order.by !== th.dataset.sort ? "none" : order.down ? "descending" : "ascending");
  });
}

filters.addEventListener("submit", function (e) { e.preventDefault(); });
filters.addEventListener("input", function () { press(""); refresh(); });
filters.addEventListener("reset", function () { press(""); setTimeout(refresh, 0, 0); });
filters.querySelector("[type=reset]").addEventListener("click", function () {
  order = null;
  mark();
});
window.addEventListener("popstate", function () { if (location.search !== kept) restore(); });
grid.querySelectorAll("[data-go]").forEach(function (b) {
  b.addEventListener("click", function () { go(b.dataset.go); });
});

// press shows which filter button is pressed; "" = none.
function press(value) {
  if (!kind.pressed) return;
  document.querySelectorAll("[data-" + kind.pressed + "]").forEach(function (b) { b.setAttribute("aria-pressed", String(b.dataset[kind.pressed] === value)); });
}

document.addEventListener("click", function (e) {
  var b = e.target.closest("[data-rule],[data-dir],[data-state],[data-class]");
  if (!b) return;
  var name = ["rule", "dir", "state", "class"].find(function (n) { return b.dataset[n]; });
  choose(name, b.dataset[name]);
  if (name === kind.pressed) press(b.dataset[name]);
  var fold = grid.closest("details");
  if (fold) fold.open = true;
  (fold || grid.closest("section") || grid).scrollIntoView();
  body.closest(".scroll").focus({ preventScroll: true });
});

window.addEventListener("beforeprint", function () { draw(printed); });
window.addEventListener("afterprint", function () { draw(); });

grid.hidden = false;
restore();
