// ---- the pairs of a map

var grades = { critical: ["✕", "Critical", "critical"], error: ["!", "Error", "error"], unknown: ["?", "Unknown", "unknown"], warning: ["●", "Warning", "warn"], info: ["i", "Info", "info"] };
var severities = Object.keys(grades);

// A pair: old URL, severity, class, what that is, what was met, the rule, hops (kind,
// answer, URL), clicks, line of the map, whether it is important, requests of a search crawler.
var kind = {
  noun: "pair",
  pressed: "state",
  decode: function (part) {
    return part.rows.map(function (r) {
      return { old: r[0], severity: r[1], class: r[2], words: r[3], met: r[4], rule: r[5], hops: r[6], clicks: r[7], line: r[8], important: r[9], hits: r[10] };
    });
  },
  keys: {
    old: function (r) { return r.old; },
    severity: function (r) { return severities.indexOf(r.severity); },
    clicks: function (r) { return -r.clicks; },
    hits: function (r) { return -r.hits; },
    line: function (r) { return r.line; }
  },
  matcher: function (f) {
    if (!f.text && !f.class && !f.state) return null;
    var text = f.text.toLowerCase();
    return function (r) {
      return (!f.class || r.class === f.class) && (!f.state || r.severity === f.state) &&
        (!text || [r.old, r.words, r.met, r.rule].concat(r.hops.map(function (h) { return h[2]; })).join("\n").toLowerCase().indexOf(text) >= 0);
    };
  },
  cells: function (r) {
    var old = element("th", "url"), state = element("td"), met = element("td", "words"), way = element("td", "hops"), list = element("ol", "hoplist"), words = grades[r.severity];
    old.scope = "row";
    old.append(bidi(r.old));
    if (r.important) old.append(element("span", "flag", "important"));
    var badge = element("span", "state " + words[2]), sign = element("span", "sign", words[0]);
    sign.setAttribute("aria-hidden", "true");
    badge.append(sign, " " + words[1]);
    state.append(badge);
    met.append(element("b", "", r.words), element("span", "sub flow", r.met));
    if (r.rule) {
      var code = element("code", "means");
      code.append(bidi(r.rule));
      met.append(code);
    }
    r.hops.forEach(function (h) {
      var item = element("li"), answer = element("span", "step " + h[0], h[0] === "planned" ? "planned: " + h[1] : h[1]);
      item.append(answer, " ", bidi(h[2]));
      list.append(item);
    });
    way.append(list);
    var row = [old, state, met, way, element("td", "n", r.clicks ? number(r.clicks) : "–"), element("td", "n", number(r.line))];
    if (document.querySelector('#pairs [data-sort="hits"]')) row.push(element("td", "n", r.hits ? number(r.hits) : "–"));
    return row;
  }
};
