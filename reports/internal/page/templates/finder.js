// ---- the search for sites by the beginning of their names, for indexes of very many sites

var names = [];     // parts of the names: rows of [name, row of the table or -1, base of its page or ""]
var askedNames = 0; // number of the last question
var namesShown = 50;

window.robotsAuditNames = function (n, part) { names[n] = part; };

// nameKey is a name without the parts that people leave out when they search.
function nameKey(text) {
  return text.trim().toLowerCase().replace(/^[a-z]+:\/\//, "").replace(/^www\./, "").replace(/\/.*$/, "");
}

function loadNames(n) {
  if (names[n]) return Promise.resolve();
  return new Promise(function (done, failed) {
    var s = document.createElement("script");
    s.src = setup.folder + "/names-" + n + ".js";
    s.onload = function () { s.remove(); names[n] ? done() : failed(n); };
    s.onerror = function () { s.remove(); failed(n); };
    document.head.append(s);
  });
}

// partOfName is the last part that begins before a key: the first that may contain it.
function partOfName(key) {
  var low = 0, high = setup.names.length;
  while (low < high) {
    var middle = low + high >> 1;
    if (setup.names[middle] < key) low = middle + 1; else high = middle;
  }
  return Math.max(0, low - 1);
}

function findNames(text) {
  var mine = ++askedNames, key = nameKey(text), list = byId("found"), status = byId("found-status");
  if (!key) {
    list.replaceChildren();
    status.textContent = "";
    return;
  }
  var from = partOfName(key), to = Math.min(from + 1, setup.names.length - 1);
  Promise.all([loadNames(from), loadNames(to)]).then(function () {
    if (mine !== askedNames) return;
    var found = [];
    for (var n = from; n <= to && found.length <= namesShown; n++) {
      for (var i = 0; i < names[n].length && found.length <= namesShown; i++) {
        if (nameKey(names[n][i][0]).indexOf(key) === 0) found.push(names[n][i]);
      }
    }
    var more = found.length > namesShown;
    found = found.slice(0, namesShown);
    list.replaceChildren.apply(list, found.map(foundItem));
    status.textContent = !found.length ? "No site begins so." : more ? "The first " + namesShown + " that begin so:" : plural(found.length, "site") + (found.length === 1 ? " begins so:" : " begin so:");
  }, function (n) {
    status.textContent = setup.folder + "/names-" + n + ".js is missing beside this page. summary.json has all sites.";
  });
}

function foundItem(of) {
  var item = element("li"), name = bidi(of[0]);
  if (of[2]) {
    var a = element("a");
    a.href = "pages/" + encodeURIComponent(of[2]) + ".html";
    a.append(name);
    name = a;
  }
  item.append(name);
  if (of[1] >= 0) {
    var b = element("button", "", "row " + number(of[1] + 1));
    b.type = "button";
    b.setAttribute("aria-label", "show " + show(of[0]) + " in the table, row " + number(of[1] + 1));
    b.addEventListener("click", function () { showRow(of[1]); });
    item.append(" ", b);
  }
  return item;
}

// showRow shows the table page with a row, in the original order, and marks the row.
function showRow(row) {
  Array.prototype.forEach.call(filters.elements, function (e) { if (e.name) e.value = ""; });
  order = null;
  press("");
  mark();
  load(partOf(row)).then(function () {
    sought = row;
    refresh(Math.floor(row / perPage));
  }, missing);
}

byId("find").addEventListener("submit", function (e) { e.preventDefault(); });
byId("find").addEventListener("input", function (e) { findNames(e.target.value); });
byId("find").hidden = false;
