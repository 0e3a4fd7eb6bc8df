(function () {
"use strict";

// Text from a site gets into the page through textContent alone.
var setup = JSON.parse(byId("setup").textContent);
var grid = byId("grid");
if (!grid) return;

var perPage = 100, printed = 2000;
var body = byId("table").tBodies[0];
var filters = byId("filters");
var parts = [];     // rows by part: 0 is in the page, the others are files
var loading = {};   // part → promise
var view = null;    // rows after filter and sort; null = all, as they come
var order = null;   // {by, down}
var page = 0;
var turn = 0;       // number of the last change: an older one that ends later is dropped

function byId(id) { return document.getElementById(id); }

function element(name, className, text) {
  var e = document.createElement(name);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = show(text);
  return e;
}

// show makes visible what would be invisible or would mislead.
function show(s) {
  return String(s).replace(/[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\u2028\u2029]/gu, function (c) {
    var hex = c.codePointAt(0).toString(16).toUpperCase();
    return hex.length <= 2 && c < "\x80" ? "\\x" + hex.padStart(2, "0") : "[U+" + hex.padStart(4, "0") + "]";
  });
}

function number(n) { return n.toLocaleString("en-US"); }

function plural(n, noun) { return number(n) + " " + noun + (n === 1 ? "" : "s"); }

function bidi(text) { return element("bdi", "", text); }

// ---- the two kinds of rows

function topDirectory(url) {
  var at = url.indexOf("://");
  if (at < 0) return "/";
  var path = url.slice(at + 3), start = path.search(/[\/?#]/);
  if (start < 0 || path[start] !== "/") return "/";
  path = path.slice(start);
  var end = path.slice(1).search(/[\/?#]/);
  return end >= 0 && path[end + 1] === "/" ? path.slice(0, end + 2) : "/";
}

function source(n) {
  if (n < 0) return n === -1 ? "link on a page" : "your list of URLs";
  return setup.sitemaps[n] || "sitemap no. " + (n + 1);
}

var urls = {
  noun: "URL",
  decode: function (part) {
    var readings = part.readings.map(function (r) {
      return {
        origin: r[0],
        list: r.slice(1).map(function (v) {
          return {
            verdict: v[0], line: v[1], rule: v[2], crawlers: v[3], key: r[0] + ":" + v[1],
            names: v[3].map(function (c) { return setup.crawlers[c]; }).join(", ")
          };
        })
      };
    });
    var flat = part.rows, rows = [], before = "";
    for (var i = 0; i < flat.length; i += 6) {
      before = before.slice(0, flat[i]) + flat[i + 1];
      rows.push({ url: before, reading: readings[flat[i + 2]], source: flat[i + 3], date: flat[i + 4], clicks: flat[i + 5] });
    }
    return rows;
  },
  keys: {
    url: function (r) { return r.url; },
    crawlers: function (r) { return r.reading.list.map(function (v) { return v.verdict + v.names; }).join(); },
    line: function (r) { return r.reading.list[0].line + r.reading.origin * 1e9; },
    dir: function (r) { return topDirectory(r.url); },
    source: function (r) { return source(r.source); },
    date: function (r) { return r.date; },
    clicks: function (r) { return -r.clicks; }
  },
  matcher: function (f) {
    if (!f.text && !f.crawler && !f.verdict && !f.rule && !f.dir) return null;
    var text = f.text.toLowerCase(), known = new Map();
    function fits(reading) {
      var is = known.get(reading);
      if (is === undefined) {
        is = reading.list.some(function (v) {
          return (!f.crawler || v.crawlers.indexOf(+f.crawler) >= 0) && (!f.verdict || v.verdict === f.verdict) && (!f.rule || v.key === f.rule);
        });
        known.set(reading, is);
      }
      return is;
    }
    return function (r) {
      return fits(r.reading) && (!f.dir || show(topDirectory(r.url)) === f.dir) && (!text || r.url.toLowerCase().indexOf(text) >= 0);
    };
  },
  cells: function (r) {
    var url = element("td", "url"), who = element("td", "words"), rule = element("td", "rule");
    url.append(bidi(r.url));
    r.reading.list.forEach(function (v) {
      var w = element("span", "means");
      w.append(element("b", "", v.verdict === "disallow" ? "blocked" : v.verdict), " for " + show(v.names));
      who.append(w);
      var l = element("span", "means");
      if (v.line) l.append("line " + v.line + ": ", element("code", "", v.rule));
      else l.append(show(v.rule));
      rule.append(l);
    });
    var cells = [url, who, rule, element("td", "dir", topDirectory(r.url)), element("td", "src", source(r.source)), element("td", "date", r.date)];
    if (setup.clicks) cells.splice(1, 0, element("td", "n", number(r.clicks)));
    return cells;
  }
};

var stateWords = { ok: ["✓", "OK"], warn: ["!", "Warning"], critical: ["✕", "Critical"], unknown: ["?", "Unknown"] };
var stateOrder = { critical: 0, warn: 1, unknown: 2, ok: 3 };

// Sites come in the order of all summaries, in three blocks. blocks are their names.
var blocks = ["To look at, most blocked first", "Could not be judged: never counted as fine", "Nothing to report"];

function blockOf(r) { return r.state === "unknown" ? 1 : r.state === "ok" && !r.most && !r.any ? 2 : 0; }

// urlCount is the cell of a number of URLs of a site.
function urlCount(r, n) {
  var cell = element("td", "n", n === null ? "–" : number(n));
  if (r.bound && n !== null) {
    cell.prepend(element("span", "sub", "at least"));
    cell.title = r.bound;
  }
  return cell;
}

// A site: name, base ("" = no report), state, why, status, access, trouble,
// known URLs, blocked for any, [blocked for each], unclear, left out, problems,
// findings: critical, errors, warnings, infos; null = not looked for; what makes
// the numbers of URLs lower bounds; where on its page its state's reason is; and of the
// crawler by which sites are ordered: name, URLs, their share, clicks. null = not measured.
var sites = {
  noun: "site",
  decode: function (part) {
    return part.rows.map(function (r) {
      return { name: r[0], base: r[1], state: r[2], why: r[3], status: r[4], access: r[5], trouble: r[6], urls: r[7], any: r[8], blocked: r[9], unclear: r[10], left: r[11], problems: r[12], findings: r[13], bound: r[14], reason: r[15], worst: r[16], most: r[17], share: r[18], clicks: r[19] };
    });
  },
  keys: {
    name: function (r) { return r.name; },
    state: function (r) { return stateOrder[r.state]; },
    status: function (r) { return r.status; },
    urls: function (r) { return -r.urls; },
    any: function (r) { return -r.any; },
    share: function (r) { return r.most !== null ? -r.most / r.urls : 1; },
    most: function (r) { return r.most !== null ? -r.most : 1; },
    clicks: function (r) { return r.clicks !== null ? -r.clicks : 1; },
    unclear: function (r) { return -r.unclear; },
    left: function (r) { return -r.left; },
    problems: function (r) { return -r.problems; },
    findings: function (r) {
      var f = r.findings;
      return f ? -(((f[0] * 1e4 + f[1]) * 1e4 + f[2]) * 1e4 + f[3]) : 1;
    }
  },
  matcher: function (f) {
    if (!f.text && !f.state && !f.access && !f.crawler) return null;
    var text = f.text.toLowerCase();
    return function (r) {
      return (!f.state || r.state === f.state) && (!f.access || r.access === f.access) && (!f.crawler || r.blocked[+f.crawler] > 0) &&
        (!text || (r.name + "\n" + r.why + "\n" + r.trouble).toLowerCase().indexOf(text) >= 0);
    };
  },
  cells: function (r) {
    var name = element("th", "url"), state = element("td"), words = stateWords[r.state] || stateWords.unknown;
    name.scope = "row";
    if (r.base) {
      var a = element("a");
      var held = setup.singleFile && byId("page-" + r.base);
      if (!setup.singleFile) a.href = "pages/" + encodeURIComponent(r.base) + ".html";
      else if (held) {
        a.href = "#" + held.id;
        a.addEventListener("click", function (e) {
          e.preventDefault();
          held.open = true;
          held.scrollIntoView();
        });
      }
      a.append(bidi(r.name));
      name.append(a);
      if (!setup.noWorkbooks && !setup.singleFile) {
        var w = element("a", "sub", "workbook");
        w.href = encodeURIComponent(r.base) + ".xlsx";
        w.setAttribute("aria-label", "workbook of " + show(r.name));
        name.append(w);
      }
    } else name.append(bidi(r.name));
    var badge = element(r.base ? "a" : "span", "state " + r.state), sign = element("span", "sign", words[0]);
    if (r.base) badge.href = "pages/" + encodeURIComponent(r.base) + ".html" + r.reason;
    sign.setAttribute("aria-hidden", "true");
    badge.append(sign, " " + words[1]);
    state.append(badge);
    var share = element("td", "n", r.share || "–"), robots = element("td", "", r.status ? r.status : "no answer");
    if (r.most) share.append(element("span", "sub", "for " + show(r.worst)));
    robots.append(element("span", "sub why", r.trouble || { parsed: "rules apply", allow_all: "all allowed", disallow_all: "all blocked" }[r.access] || "unknown"));
    var cells = [name, state, element("td", "words", r.why), share, urlCount(r, r.most)];
    if (setup.clicks) cells.push(element("td", "n", r.clicks === null ? "–" : number(r.clicks)));
    cells.push(urlCount(r, r.urls), robots);
    var found = ["critical", "error", "warning", "info"].map(function (word, i) {
      return r.findings && r.findings[i] ? (i ? plural(r.findings[i], word) : number(r.findings[i]) + " " + word) : "";
    }).filter(Boolean).join(", ");
    cells.push(element("td", "found", found || (r.findings ? "none" : "–")));
    r.blocked.concat([r.any, r.unclear, r.left]).forEach(function (n) { cells.push(urlCount(r, n)); });
    return cells.concat([element("td", "n", number(r.problems))]);
  }
};
setup.crawlers.forEach(function (_, i) { sites.keys["blocked" + i] = function (r) { return -r.blocked[i]; }; });

var kind = setup.kind === "sites" ? sites : urls;

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
  for (var n = 1; n <= setup.files; n++) {
    all.push(load(n).then(function () {
      there++;
      if (there < setup.files) say("Reading rows: " + there + " of " + setup.files + " files …");
    }));
  }
  return Promise.all(all);
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

// ---- the address, which holds what the table shows: it can be kept, sent and gone back to

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

// restore sets filters, order and page as the address has them.
function restore() {
  var query = new URLSearchParams(location.search), by = query.get("sort") || "", down = by[0] === "-";
  kept = location.search;
  Array.prototype.forEach.call(filters.elements, function (e) { if (e.name) set(e, query.get(e.name) || ""); });
  by = by.replace("-", "");
  order = Object.keys(kind.keys).indexOf(by) >= 0 ? { by: by, down: down } : null;
  press(kind === sites ? query.get("state") : "");
  mark();
  refresh(Math.max(0, (parseInt(query.get("page"), 10) || 1) - 1));
}

// set sets a filter. A choice that its list does not have is added: the page offers more.
function set(field, value) {
  if (value && field.options && !Array.prototype.some.call(field.options, function (o) { return o.value === value; })) {
    var button = document.querySelector("[data-" + field.name + '="' + CSS.escape(value) + '"]');
    if (!button) return;
    field.add(new Option(show(button.textContent.trim()), value));
  }
  field.value = value;
}

// refresh filters and sorts, then draws the page of the table at, or its first.
function refresh(at) {
  var mine = ++turn, matches = kind.matcher(chosen());
  page = at || 0;
  if (!matches && !order) {
    view = null;
    return draw();
  }
  loadAll().then(function () {
    if (mine !== turn) return;
    view = [];
    parts.forEach(function (rows) {
      rows.forEach(function (r) { if (!matches || matches(r)) view.push(r); });
    });
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

// heading is a row that says what those below it have in common.
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
    var list = document.createDocumentFragment(), block = -1;
    for (var i = from; i < to; i++) {
      var r = view ? view[i] : rowAt(i), tr = document.createElement("tr");
      if (kind === sites && !order && block !== blockOf(r)) list.append(heading(blocks[block = blockOf(r)]));
      tr.append.apply(tr, kind.cells(r));
      list.append(tr);
    }
    body.replaceChildren(list);
    byId("place").textContent = total ? "Rows " + number(from + 1) + " to " + number(to) + " of " + number(total) : "No rows";
    say(view && total !== setup.rows ? plural(total, kind.noun) + " of " + number(setup.rows) + (total === 1 ? " fits" : " fit") : "");
    grid.querySelectorAll("[data-go]").forEach(function (b) {
      b.disabled = /first|back/.test(b.dataset.go) ? page === 0 : page === last;
    });
    remember();
    grid.dataset.drawn = +(grid.dataset.drawn || 0) + 1;
  };
  if (view || parts[partOf(from)] && parts[partOf(Math.max(from, to - 1))]) rows();
  else first.then(rows, missing);
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

// mark tells which column the rows are sorted by.
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

function press(state) {
  document.querySelectorAll("[data-state]").forEach(function (b) { b.setAttribute("aria-pressed", String(b.dataset.state === state)); });
}

document.addEventListener("click", function (e) {
  var b = e.target.closest("[data-rule],[data-dir],[data-state]");
  if (!b) return;
  var name = b.dataset.rule ? "rule" : b.dataset.dir ? "dir" : "state";
  choose(name, b.dataset[name]);
  if (name === "state") press(b.dataset.state);
  var to = grid.closest("section") || grid;
  to.scrollIntoView();
  body.closest(".scroll").focus({ preventScroll: true });
});

window.addEventListener("beforeprint", function () { draw(printed); });
window.addEventListener("afterprint", function () { draw(); });

grid.hidden = false;
restore();
})();
