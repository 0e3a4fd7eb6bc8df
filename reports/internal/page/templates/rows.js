// ---- the two kinds of rows

// Defaults of setup: all rows are in the page itself, and no crawler was tested.
if (!setup.files) {
  setup.files = 0;
  setup.inline = setup.rows || 1;
  setup.perFile = 1;
}
setup.crawlers = setup.crawlers || [];

// Rows refer to sitemaps by number; their names are in a table of the page.
var sitemaps = {};
document.querySelectorAll("#sitemaps .scroll tbody tr").forEach(function (row) {
  sitemaps[row.cells[0].textContent.trim() - 1] = row.cells[1].textContent.trim();
});

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
  if (n < 0) return ["link on a page", "your list of URLs", "canonical of a page"][-1 - n];
  return sitemaps[n] || "sitemap no. " + (n + 1);
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
    for (var i = 0; i < flat.length; i += setup.hits ? 7 : 6) {
      before = before.slice(0, flat[i]) + flat[i + 1];
      rows.push({ url: before, reading: readings[flat[i + 2]], source: flat[i + 3], date: flat[i + 4], clicks: flat[i + 5], hits: flat[i + 6] });
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
    clicks: function (r) { return -r.clicks; },
    hits: function (r) { return -r.hits; }
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
    if (setup.hits) cells.splice(1, 0, element("td", "n", number(r.hits)));
    if (setup.clicks) cells.splice(1, 0, element("td", "n", number(r.clicks)));
    return cells;
  }
};

var stateWords = { ok: ["✓", "OK"], warn: ["!", "Warning"], critical: ["✕", "Critical"], unknown: ["?", "Unknown"] };
var stateOrder = { critical: 0, warn: 1, unknown: 2, ok: 3 };

// Sites come in the order of all summaries, in a block for each state.
var blocks = { critical: "Critical", warn: "Warnings", ok: "OK" };

function blockOf(r) { return blocks[r.state] || "Unknown: could not be checked, and not counted as OK"; }

// urlCount is the cell for a number of URLs of a site.
function urlCount(r, n) {
  var cell = element("td", "n", n === null ? "–" : number(n));
  if (r.bound && n !== null) {
    cell.prepend(element("span", "sub", "at least"));
    cell.title = r.bound;
  }
  return cell;
}

// A site: name, base ("" = no report), state, why, status (-1 = a
// file of -robots stood in for robots.txt), access, trouble,
// URLs found, [blocked for each crawler], findings: critical, errors, warnings, infos (null = not
// looked for); what makes the numbers of URLs lower bounds; where on its page its state's reason
// is; of the crawler by which sites are ordered: name, URLs, their share, clicks. null = not measured.
// With access logs: requests of crawlers, and how many disobeyed.
var sites = {
  noun: "site",
  pressed: "state",
  block: blockOf,
  decode: function (part) {
    return part.rows.map(function (r) {
      return { name: r[0], base: r[1], state: r[2], why: r[3], status: r[4], access: r[5], trouble: r[6], urls: r[7], blocked: r[8], findings: r[9], bound: r[10], reason: r[11], worst: r[12], most: r[13], share: r[14], clicks: r[15], requests: r[16], disobeyed: r[17] };
    });
  },
  keys: {
    name: function (r) { return r.name; },
    state: function (r) { return stateOrder[r.state]; },
    status: function (r) { return r.status; },
    urls: function (r) { return -r.urls; },
    share: function (r) { return r.most !== null ? -r.most / r.urls : 1; },
    most: function (r) { return r.most !== null ? -r.most : 1; },
    clicks: function (r) { return r.clicks !== null ? -r.clicks : 1; },
    requests: function (r) { return r.requests === undefined ? 1 : -r.requests; },
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
    var share = element("td", "n", r.share || "–"), robots = element("td", "", r.status > 0 ? r.status : r.status ? "not fetched" : "no answer");
    if (r.most) share.append(element("span", "sub", "for " + show(r.worst)));
    robots.append(element("span", "sub why", r.trouble || { parsed: "rules apply", allow_all: "all allowed", disallow_all: "all blocked" }[r.access] || "unknown"));
    var cells = [name, state, prose(element("td", "words"), r.why), share, urlCount(r, r.most)];
    if (setup.clicks) cells.push(element("td", "n", r.clicks === null ? "–" : number(r.clicks)));
    if (setup.logs) {
      var requests = element("td", "n", r.requests === undefined ? "–" : number(r.requests));
      if (r.disobeyed) requests.append(element("span", "sub", number(r.disobeyed) + " disobeyed"));
      cells.push(requests);
    }
    cells.push(urlCount(r, r.urls), robots);
    var found = ["critical", "error", "warning", "info"].map(function (word, i) {
      return r.findings && r.findings[i] ? (i ? plural(r.findings[i], word) : number(r.findings[i]) + " " + word) : "";
    }).filter(Boolean).join(", ");
    cells.push(element("td", "found", found || (r.findings ? "none" : "–")));
    return cells;
  }
};

// makeGrid makes filters and table of URLs.
function makeGrid() {
  function label(text, field) { return "<label>" + text + " " + field + "</label>\n"; }
  function select(name) { return '<select name="' + name + '"><option value="">any</option></select>'; }
  function head(by, text) { return '<th scope="col" data-sort="' + by + '"' + (by === "clicks" || by === "hits" ? ' class="n">' : ">") + text + "</th>"; }
  grid.innerHTML = gridBegin + label("Search", '<input type="search" name="text" autocomplete="off" spellcheck="false">') +
    label("Crawler", select("crawler")) + label("Verdict", select("verdict")) + label("Rule", select("rule")) + label("Directory", select("dir")) +
    '<button type="reset">Clear</button></form><div class="scroll rows" tabindex="0" role="region" aria-label="Blocked URLs">' +
    '<table id="table"><caption>Blocked URLs, each with the line that blocks it</caption><thead><tr>' +
    head("url", "URL") + (setup.clicks ? head("clicks", "Clicks") : "") + (setup.hits ? head("hits", "") : "") + head("crawlers", "Crawlers") + head("line", "Rule") + head("dir", "Directory") + head("source", "Source") + head("date", "Last modified") +
    "</tr></thead><tbody></tbody></table></div>" + gridEnd;
  if (setup.hits) grid.querySelector("[data-sort=hits]").textContent = show(setup.hits) + " hits";
  function fill(name, choices) {
    choices.forEach(function (c) {
      var choice = Array.isArray(c) ? c : [c, c];
      byId("filters").elements[name].add(new Option(show(choice[1]), choice[0]));
    });
  }
  fill("crawler", setup.crawlers.map(function (label, i) { return [i, label]; }));
  fill("verdict", ["disallow", "undefined", "unknown"].map(function (v) { return [v, v]; }));
  fill("rule", setup.rules || []);
  fill("dir", setup.dirs || []);
}

var kind = setup.kind === "sites" ? sites : urls;
if (kind === urls) makeGrid();
