// ---- requests to the dashboard

var asking = null; // cancels the requests under way
var asked = 0;     // number of the last change or request: late answers are dropped

// post sends the text, and returns the answer, or an Error in words.
function post(name, data, signal) {
  return fetch(name, { method: "POST", body: JSON.stringify(data), signal: signal, headers: { "Content-Type": "application/json", Accept: "application/json" } }).then(read, function (e) {
    if (e.name === "AbortError") throw e;
    throw new Error("The dashboard does not answer. Check that it runs and that you are connected.");
  });
}

function read(answer) {
  return answer.json().catch(function (e) {
    if (e.name === "AbortError") throw e;
    return { error: "the dashboard answered with HTTP status " + answer.status };
  }).then(function (data) {
    if (answer.ok) return data;
    throw new Error(sentence(data.error || "the dashboard answered with HTTP status " + answer.status));
  });
}

function sentence(words) { return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : "."); }

// changed tests the text when typing pauses, later for a longer text. It cancels the requests for older
// texts.
function changed() {
  asked++;
  if (asking) asking.abort();
  repaint();
  hereSoon();
  working(true);
  clearTimeout(changed.timer);
  changed.timer = setTimeout(ask, 15 + Math.min(150, text.length / 4000));
  clearTimeout(keepDraft.timer);
  keepDraft.timer = setTimeout(keepDraft, 400);
}

function working(is) {
  byId("working").hidden = !is;
  grid.classList.toggle("asking", is);
  grid.dataset.state = is ? "asking" : "done";
}

function ask() {
  var mine = ++asked, data = { robots: wholeText() };
  asking = new AbortController();
  Promise.all([
    post("try", data, asking.signal).then(function (answer) { if (mine === asked) showChanges(answer); }),
    post("lint", data, asking.signal).then(function (answer) { if (mine === asked) mark(answer); })
  ]).then(function () {
    if (mine !== asked) return;
    working(false);
    byId("again").hidden = true;
  }, function (e) {
    if (mine !== asked || e.name === "AbortError") return;
    working(false);
    grid.dataset.state = "trouble";
    grid.classList.add("asking"); // the page shows the result for an older text
    byId("status").textContent = e.message + " The next change tries again.";
    byId("again").hidden = false;
  });
}

byId("again").addEventListener("click", changed);

// notify shows a message with buttons, until it is closed.
function notify(words) {
  var at = byId("message");
  at.replaceChildren.apply(at, String(words).split("\n").map(function (line) { return element("span", "line", line); }));
  for (var i = 1; i < arguments.length; i++) at.append(arguments[i], " ");
  at.append(button("Close", function (e) {
    at.replaceChildren();
    if (!e.detail) area.focus({ preventScroll: true }); // pressed by key: the focus must not get lost
  }, "Close this message"));
}

function failed(e) { notify(e.message); }

function undoButton() { return button("Undo", function () { undo(); notify("Undone."); area.focus(); }, "Undo this change"); }

// wish requests the smallest edit that allows or blocks URLs, and inserts it. With below it includes all
// URLs that begin with them. Without crawlers it is for all.
function wish(want, urls, crawlers, below) {
  var of = text, data = { robots: wholeText(), want: want, urls: urls };
  if (crawlers) data.crawlers = crawlers;
  if (below) data.below = true;
  notify("Looking for the smallest edit …");
  grid.dataset.wish = "asking";
  post("wish", data).then(function (answer) {
    grid.dataset.wish = "done";
    if (of !== text) return notify("The text has changed in the meantime, so nothing was inserted. Try again.");
    if (!answer.changed) return notify(answer.words);
    put(answer.robots.replace(/\r\n?/g, "\n"));
    notify(answer.words, undoButton());
  }).catch(function (e) { grid.dataset.wish = "done"; failed(e); });
}

byId("wish").addEventListener("submit", function (e) {
  e.preventDefault();
  var form = e.target.elements, want = e.submitter && e.submitter.value || "allow", crawlers = null;
  var urls = form.urls.value.split("\n").map(function (u) { return u.trim(); }).filter(Boolean);
  if (!urls.length) return notify("Enter a URL or a path first.");
  if (form.whom.value) {
    crawlers = Array.from(form.crawler.length ? form.crawler : [form.crawler]).filter(function (c) { return c.checked; }).map(function (c) { return c.value; });
    if (!crawlers.length) return notify("Choose a crawler first, or all crawlers.");
  }
  wish(want, urls, crawlers, form.below.checked);
});
byId("wish").addEventListener("input", function (e) {
  var form = byId("wish").elements;
  if (e.target.name === "below") form.below.dataset.chosen = "";
  if (e.target.name === "urls" && !("chosen" in form.below.dataset)) form.below.checked = /\/\s*$/.test(form.urls.value); // a directory
  byId("whom").hidden = !form.whom.value;
});

// ---- the text to begin with

function begin(exact, words) {
  var from = fileOf(exact);
  put(from.text, from);
  notify(words + (exact.indexOf("\ufffd") >= 0 ? " Bytes that are not UTF-8 are shown as \ufffd and saved as such." : ""), undoButton());
}

byId("begin").addEventListener("click", function () {
  var key = byId("start").value, name = byId("start").selectedOptions[0].textContent, mine = ++begin.turn;
  if (key === "live") return begin(setup.robots, "Loaded: " + name + ".");
  fetch("start?key=" + encodeURIComponent(key), { headers: { Accept: "application/json" } }).then(read, function () { throw new Error("The dashboard does not answer. Check that it runs and that you are connected."); }).then(function (answer) {
    if (mine === begin.turn) begin(answer.robots, "Loaded: " + name + ".");
  }).catch(failed);
});
begin.turn = 0;

var mostFile = 1 << 20; // bytes of a file from disk

function readFile(of) {
  if (!of) return;
  if (of.size > mostFile) return notify("This file has more than 1 MB. Crawlers read at most 500 KB.");
  of.arrayBuffer().then(function (bytes) {
    begin(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), "Loaded the file " + of.name + ".");
  }).catch(function () { notify("The file could not be read."); });
}

byId("file").addEventListener("change", function () {
  readFile(byId("file").files[0]);
  byId("file").value = "";
});
field.addEventListener("dragover", function (e) {
  if (Array.from(e.dataTransfer.types).indexOf("Files") < 0) return;
  e.preventDefault();
  field.classList.add("drop");
});
field.addEventListener("dragleave", function () { field.classList.remove("drop"); });
field.addEventListener("drop", function (e) {
  field.classList.remove("drop");
  if (!e.dataTransfer.files.length) return;
  e.preventDefault();
  readFile(e.dataTransfer.files[0]);
});

// ---- copies and downloads

function copy(of) {
  function byHand() {
    var t = element("textarea"), held = document.activeElement;
    t.value = of;
    grid.append(t);
    t.select();
    var done = document.execCommand("copy");
    t.remove();
    held.focus();
    if (!done) throw new Error("The browser does not allow copying.");
  }
  if (!navigator.clipboard) return Promise.resolve().then(byHand);
  return navigator.clipboard.writeText(of).catch(byHand);
}

function save(name, of) {
  var a = element("a");
  a.href = URL.createObjectURL(new Blob([of], { type: "text/plain;charset=utf-8" }));
  a.download = name;
  a.click();
  setTimeout(function () { URL.revokeObjectURL(a.href); }, 10000);
}

byId("copy").addEventListener("click", function () { copy(wholeText()).then(function () { notify("Copied: " + plural(starts.length, "line") + "."); }, failed); });
byId("download").addEventListener("click", function () { save("robots.txt", wholeText()); });

byId("expect").addEventListener("click", function () {
  notify("Writing the expectations …");
  post("expect", { robots: wholeText() }).then(function (answer) {
    if (!answer.rows) return notify("There are no changes to write as expectations.");
    save(answer.name, answer.text);
    notify(plural(answer.rows, "expectation") + " in " + answer.name + (answer.more ? "; " + number(answer.more) + " more were skipped" : "") + ". robots-audit verify checks them once the file is served.");
  }).catch(failed);
});

if (byId("save")) byId("save").addEventListener("submit", function (e) {
  e.preventDefault();
  var form = e.target.elements;
  post("save", { robots: wholeText(), note: form.note.value.trim(), expect: form.expect.checked, form_token: grid.dataset.formToken }).then(function (answer) {
    var name = answer.saved[0].replace(/^.*[\\/]/, "").replace(/\.txt$/, ""), start = new Option("proposal of " + name.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d).*/, "$1-$2-$3, $4:$5:$6 UTC"), "proposal:" + name);
    byId("start").add(start, byId("start").options.length - 1); // before the empty file
    notify("Saved:\n" + answer.saved.join("\n"));
  }).catch(failed);
});

// ---- the address of an edit: the text is in its fragment, which browsers do not send

var mostShared = 32 << 10; // characters of the address

function pipe(bytes, through, most) {
  var reader = new Blob([bytes]).stream().pipeThrough(through).getReader(), parts = [], size = 0;
  function next() {
    return reader.read().then(function (part) {
      if (part.done) return new Blob(parts).arrayBuffer();
      if ((size += part.value.length) > most) return reader.cancel().then(function () { throw new Error("The address contains more than a robots.txt."); });
      parts.push(part.value);
      return next();
    });
  }
  return next();
}

byId("share").addEventListener("click", function () {
  pipe(wholeText(), new CompressionStream("deflate-raw"), Infinity).then(function (packed) {
    var bytes = new Uint8Array(packed), binary = "";
    for (var i = 0; i < bytes.length; i += 4096) binary += String.fromCharCode.apply(null, bytes.subarray(i, i + 4096));
    var shared = btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    if (shared.length > mostShared) return notify("The text is too long for an address (" + number(shared.length) + " characters, at most 32,768). Download it, or save it as a proposal.");
    var at = element("input", "address");
    at.readOnly = true;
    at.value = location.origin + location.pathname + "#e=" + shared;
    at.setAttribute("aria-label", "Address of this edit");
    return copy(at.value).then(function () { return "Copied the address of this edit."; }, function () { return "This is the address of your edit."; }).then(function (words) {
      notify(words + " Everybody with access to this dashboard can open it.", at);
    });
  }).catch(failed);
});

// shared reads the text from the address, and removes it there.
function shared() {
  var packed = /^#e=([\w-]+)$/.exec(location.hash);
  if (!packed) return Promise.resolve(false);
  history.replaceState(null, "", location.pathname + location.search);
  return Promise.resolve().then(function () {
    var binary = atob(packed[1].replace(/-/g, "+").replace(/_/g, "/"));
    return pipe(Uint8Array.from(binary, function (c) { return c.charCodeAt(0); }), new DecompressionStream("deflate-raw"), mostFile);
  }).then(function (bytes) {
    begin(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), "Loaded the text from the address.");
    return true;
  }).catch(function () {
    notify("The text in the address could not be read. The address may be incomplete.");
    return false;
  });
}
window.addEventListener("hashchange", shared);

// ---- the draft, which survives a reload of this tab

var draftKey = "robots-audit edit " + location.pathname;

function keepDraft() {
  try {
    if (text === fileOf(setup.robots).text) sessionStorage.removeItem(draftKey);
    else sessionStorage.setItem(draftKey, JSON.stringify({ text: text, exact: file.exact === setup.robots ? null : file.exact }));
  } catch (e) { } // the storage is full or forbidden: the text is still in the field
}

function readDraft() {
  try { return JSON.parse(sessionStorage.getItem(draftKey)); } catch (e) { return null; }
}

window.addEventListener("pagehide", keepDraft);

grid.hidden = false;
byId("all-findings").open = matchMedia("(min-width:64rem)").matches; // on a phone, the changes would be far below
file = fileOf(setup.robots);
area.value = file.text;
area.setSelectionRange(0, 0);
readLines();
enter("");
var draft = readDraft();
if (draft && typeof draft.text === "string") {
  put(draft.text, typeof draft.exact === "string" ? fileOf(draft.exact) : file);
  notify("Your draft was restored.", undoButton());
}
shared().then(function (is) { if (!is) changed(); });
