// ---- shared by the scripts of all pages

// Text from a site enters the page only through textContent.
var setup = JSON.parse(byId("setup").textContent);
var grid = byId("grid");
if (!grid) return;

function byId(id) { return document.getElementById(id); }

function element(name, className, text) {
  var e = document.createElement(name);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = show(text);
  return e;
}

// show makes invisible and misleading characters visible.
function show(s) {
  return String(s).replace(/[\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\u2028\u2029]/gu, function (c) {
    var hex = c.codePointAt(0).toString(16).toUpperCase();
    return hex.length <= 2 && c < "\x80" ? "\\x" + hex.padStart(2, "0") : "[U+" + hex.padStart(4, "0") + "]";
  });
}

function number(n) { return n.toLocaleString("en-US"); }

function plural(n, noun) { return number(n) + " " + noun + (n === 1 ? "" : "s"); }

function bidi(text) { return element("bdi", "", text); }

// prose adds a sentence to an element, in which `back quotes` surround code.
function prose(e, text) {
  var parts = text.split("`");
  if (parts.length % 2 === 0) parts = [text];
  parts.forEach(function (part, i) { e.append(i % 2 ? element("code", "", part) : show(part)); });
  return e;
}
