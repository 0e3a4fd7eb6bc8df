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
  if (preview.of !== text) dropPreview();
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
  var mine = ++asked, data = { robots: wholeText() }, tried = { robots: data.robots, against: base().key };
  asking = new AbortController();
  Promise.all([
    post("try", tried, asking.signal).then(function (answer) { if (mine === asked) showChanges(answer); }),
    post("lint", data, asking.signal).then(function (answer) { if (mine === asked) mark(answer); })
  ]).then(function () {
    if (mine !== asked) return;
    working(false);
    byId("again").hidden = true;
    askSharing(mine);
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

// ---- unblock and block, with a preview

var preview = { of: null }; // the text that the preview is for

function dropPreview() {
  preview.of = null;
  byId("preview").hidden = true;
  byId("preview").replaceChildren();
}

// wish requests the smallest edit that allows or blocks URLs, and shows it. With below it includes all
// URLs that begin with them. Without crawlers it is for all.
function wish(want, urls, crawlers, below) {
  var of = text, data = { robots: wholeText(), want: want, urls: urls }, mine = wish.turn = (wish.turn || 0) + 1;
  if (crawlers) data.crawlers = crawlers;
  if (below) data.below = true;
  notify("Looking for the smallest edit …");
  grid.dataset.wish = "asking";
  post("wish", data).then(function (answer) {
    if (mine !== wish.turn) return;
    grid.dataset.wish = "done";
    if (of !== text) return notify("The text has changed in the meantime. Try again.");
    byId("message").replaceChildren();
    showPreview(want, urls, answer);
  }).catch(function (e) { if (mine === wish.turn) { grid.dataset.wish = "done"; failed(e); } });
}

// editRows are the lines of an edit, as in a diff. Edits before it have added some lines.
function editRows(e, added) {
  function line(name, sign, no, of) {
    var li = element("li", name);
    li.append(element("span", "no", sign + " " + no), " ", of || "(an empty line)");
    return li;
  }
  if (e.op === "insert") return [line("added", "+", number(e.line + added + 1), show(e.text))];
  var rows = [line("removed", "−", number(e.line), show(e.was))];
  if (e.op === "replace") rows.push(line("added", "+", number(e.line + added), show(e.text)));
  return rows;
}

// showPreview shows an edit with its effects. Only "Apply" changes the text.
function showPreview(want, urls, answer) {
  var at = byId("preview"), of = urls.length === 1 ? show(urls[0]) : plural(urls.length, "URL"), parts = [], added = 0, t = answer.totals;
  var title = element("h3", "", (want === "allow" ? "Preview: unblock " : "Preview: block ") + of);
  title.id = "preview-title";
  parts.push(title);
  if (answer.changed) {
    var list = element("ol", "edits"), apply = button("Apply", function () {
      if (preview.of !== text) return notify("The text has changed in the meantime. Try again.");
      put(answer.robots.replace(/\r\n?/g, "\n"));
      notify(answer.words, undoButton());
      byId("message").querySelector("button").focus({ preventScroll: true });
    });
    list.setAttribute("aria-label", "Lines of the edit");
    list.tabIndex = 0;
    answer.edits.slice(0, 50).forEach(function (e) {
      list.append.apply(list, editRows(e, added));
      added += e.op === "insert" ? 1 : e.op === "delete" ? -1 : 0;
    });
    if (answer.edits.length > 50) list.append(element("li", "", "And " + plural(answer.edits.length - 50, "more edit") + "."));
    parts.push(list, element("p", "", !t.newly_allowed && !t.newly_blocked && !t.now_unclear && !t.clear_again ? "This edit changes no URL of this run." : "This edit alone: " + plural(t.newly_allowed, "URL") + " newly allowed, " + number(t.newly_blocked) + " newly blocked" + (t.now_unclear ? ", " + number(t.now_unclear) + " now unclear" : "") + "."));
  }
  answer.words.split("\n").slice(Math.min(answer.edits.length, 10)).forEach(function (words) { parts.push(element("p", "note", words)); });
  if (answer.unwanted) {
    var effects = element("ul", "side-effects");
    answer.samples.forEach(function (s) { effects.append(element("li", "", show(s.url) + ": " + (s.is === "allow" ? "newly allowed" : s.is === "disallow" ? "newly blocked" : s.is) + " for " + show(s.crawler))); });
    parts.push(element("p", "", "Side effects on " + plural(answer.unwanted, "other URL") + ":"), effects);
  }
  var buttons = element("p", "buttons");
  if (apply) buttons.append(apply);
  buttons.append(button(apply ? "Cancel" : "Close", function () { dropPreview(); byId("wish").elements.urls.focus(); }));
  buttons.querySelectorAll("button").forEach(function (b) { b.className = ""; });
  parts.push(buttons);
  at.replaceChildren.apply(at, parts);
  at.hidden = false;
  preview.of = text;
  at.scrollIntoView({ block: "nearest" });
  (apply || at).focus({ preventScroll: true });
}

byId("unblock").addEventListener("click", function () {
  byId("wish").scrollIntoView({ block: "nearest" });
  byId("wish").elements.urls.focus();
});

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

// begin replaces the text by a file. key is that of the text, if the dashboard has it.
function begin(exact, words, key) {
  var from = fileOf(exact), proposal = /^proposal:(.+)/.exec(key || "");
  put(from.text, from);
  if (proposal) saved = { text: text, note: "", link: location.pathname.replace(/edit$/, "proposals/") + proposal[1] };
  notify(words + (exact.indexOf("\ufffd") >= 0 ? " Bytes that are not UTF-8 are shown as \ufffd and saved as such." : ""), undoButton());
}

// replace calls an action that replaces the text. If the text was edited, it asks first.
function replace(words, act) {
  if (text === file.text || text === saved.text) return act();
  var at = byId("replace");
  byId("replace-words").textContent = words + " Undo brings your text back.";
  if (at.open) return;
  at.returnValue = "";
  at.onclose = function () { if (at.returnValue === "yes") act(); };
  at.showModal();
  at.querySelector("button[value='']").focus(); // Enter must not lose the text
}

byId("begin").addEventListener("click", function () {
  var key = byId("start").value, name = byId("start").selectedOptions[0].textContent, mine = ++begin.turn;
  replace("It is replaced by: " + name + ".", function () {
    if (key === "live") return begin(setup.robots, "Loaded: " + name + ".");
    fetch("start?key=" + encodeURIComponent(key), { headers: { Accept: "application/json" } }).then(read, function () { throw new Error("The dashboard does not answer. Check that it runs and that you are connected."); }).then(function (answer) {
      if (mine === begin.turn) begin(answer.robots, "Loaded: " + name + ".", key);
    }).catch(failed);
  });
});
begin.turn = 0;

var mostFile = 1 << 20; // bytes of a file from disk

function readFile(of) {
  if (!of) return;
  if (of.size > mostFile) return notify("This file has more than 1 MB. Crawlers read at most 500 KB.");
  of.arrayBuffer().then(function (bytes) {
    replace("It is replaced by the file " + of.name + ".", function () { begin(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), "Loaded the file " + of.name + "."); });
  }).catch(function () { notify("The file could not be read."); });
}

byId("open").addEventListener("click", function () { byId("file").click(); });
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

byId("patch").addEventListener("click", function () {
  post("patch", { robots: wholeText() }).then(function (answer) {
    if (!answer.text) return notify("No line differs from the robots.txt of this run.");
    save(answer.name, answer.text);
    notify("Downloaded " + answer.name + ". git apply " + answer.name + " makes the changes.");
  }).catch(failed);
});

byId("pull").addEventListener("click", function () {
  notify("Writing the text …");
  post("pull-request", { robots: wholeText(), note: saved.text === text ? saved.note : "" }).then(function (answer) {
    var download = button("Download " + answer.name, function () { save(answer.name, answer.text); });
    return copy(answer.text).then(function () { notify("Copied the text of a pull request, in Markdown.", download); }, function () { notify("The text of a pull request is ready, in Markdown.", download); });
  }).catch(failed);
});

// ---- proposals

var saved = { text: null, note: "", link: "" }; // the proposal that was saved last

// linkField shows an address to copy.
function linkField(address, label) {
  var at = element("input", "address");
  at.readOnly = true;
  at.value = address;
  at.setAttribute("aria-label", label);
  return at;
}

// giveLink shows and copies the address of the saved proposal.
function giveLink(words) {
  var address = location.origin + saved.link, open = element("a", "", "Open the review");
  open.href = saved.link;
  copy(address).then(function () { return words + " Copied the link for a review."; }, function () { return words + " This is the link for a review."; }).then(function (all) {
    notify(all, linkField(address, "Link for a review"), open);
  });
}

if (byId("save")) {
  byId("keep").addEventListener("click", function () { byId("saving").showModal(); });
  byId("cancel").addEventListener("click", function () { byId("saving").close(); });
  byId("save").addEventListener("submit", function (e) {
    e.preventDefault();
    var form = e.target.elements, of = text, note = form.note.value.trim();
    post("save", { robots: wholeText(), note: note, expect: form.expect.checked, form_token: grid.dataset.formToken }).then(function (answer) {
      saved = { text: of, note: note, link: answer.link };
      [byId("start"), byId("sift").elements.against].forEach(function (list) {
        list.add(new Option("proposal of " + answer.when, "proposal:" + answer.name), list.options.length - 1); // before the empty file
      });
      byId("saving").close();
      giveLink("Saved: " + answer.saved.join(", ") + ".");
    }).catch(function (e) { byId("saving").close(); failed(e); });
  });
}

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

// Where proposals can be saved, the link leads to one, for a review. Otherwise it has the text itself.
byId("share").addEventListener("click", function () {
  if (saved.text === text) return giveLink("This text is saved.");
  if (byId("saving")) return byId("saving").showModal();
  pipe(wholeText(), new CompressionStream("deflate-raw"), Infinity).then(function (packed) {
    var bytes = new Uint8Array(packed), binary = "";
    for (var i = 0; i < bytes.length; i += 4096) binary += String.fromCharCode.apply(null, bytes.subarray(i, i + 4096));
    var shared = btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    if (shared.length > mostShared) return notify("The text is too long for an address (" + number(shared.length) + " characters, at most 32,768). Download it.");
    var at = linkField(location.origin + location.pathname + "#e=" + shared, "Address of this edit");
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
    replace("It is replaced by the text from the address.", function () { begin(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), "Loaded the text from the address."); });
    return true;
  }).catch(function () {
    notify("The text in the address could not be read. The address may be incomplete.");
    return false;
  });
}
window.addEventListener("hashchange", shared);

// follow does what the query of the address asks for: another text, an edit, a line, or a wish. It is done once, so
// the query goes.
function follow() {
  var of = setup.begin;
  if (of && fileOf(of.robots).text !== text) {
    if (of.key) replace("It is replaced by the text of the link.", function () { begin(of.robots, "Loaded the text of the link.", of.key); });
    else replace("The link makes an edit in the robots.txt of this run.", function () {
      put(fileOf(of.robots).text, file);
      notify("The edit of the link is in the text: " + of.words, undoButton());
    });
  }
  if (setup.line) goLine(setup.line);
  if (setup.wish && setup.wish_url) wish(setup.wish, [setup.wish_url], null, /\/$/.test(setup.wish_url));
  if (location.search) history.replaceState(null, "", location.pathname);
}

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
byId("all-findings").open = byId("hand").open = matchMedia("(min-width:64rem)").matches; // on a phone, the changes would be far below
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
shared().then(function () {
  changed();
  follow();
});
