// ---- the same file on other sites of the run

var sharing = { asking: null, of: null }; // the request under way, and the text whose changes are shown

// askSharing tests the text on all sites with the same file, some time after the last change.
function askSharing(mine) {
  var box = byId("test-all");
  if (!box || !box.checked || sharing.of === text) return;
  clearTimeout(askSharing.timer);
  askSharing.timer = setTimeout(function () {
    if (mine !== asked) return;
    var of = text;
    if (sharing.asking) sharing.asking.abort();
    sharing.asking = new AbortController();
    byId("shared-words").textContent = "Testing on the other sites …";
    post("shared", { robots: wholeText() }, sharing.asking.signal).then(function (answer) {
      sharing.of = of;
      showSharing(answer);
    }).catch(function (e) { if (e.name !== "AbortError") byId("shared-words").textContent = e.message; });
  }, 400);
}

function showSharing(answer) {
  var section = byId("shared"), t = answer.totals, old = sharing.of === text ? "" : "For an older text: ";
  byId("shared-words").textContent = old + number(t.newly_blocked) + " newly blocked, " + number(t.newly_allowed) + " newly allowed on " + plural(answer.tested.length, "site") + " with " + number(t.known_urls) + " URLs, tested in " + number(Math.round(answer.took_ms)) + " ms." + (answer.untested ? " " + answer.untested + "." : "");
  section.querySelector(".scroll").hidden = false;
  section.querySelector("tbody").replaceChildren.apply(section.querySelector("tbody"), answer.tested.map(function (s) {
    var name = element("a", "", show(s.site));
    name.href = s.edit;
    if (s.totals) return row("", head(name), countCell(s.totals.known_urls), countCell(s.totals.newly_blocked), countCell(s.totals.newly_allowed));
    var why = cell("", s.error);
    why.colSpan = 3;
    return row("", head(s.edit ? name : show(s.site)), why);
  }));
}

if (byId("test-all")) byId("test-all").addEventListener("change", function () {
  if (byId("test-all").checked) return askSharing(asked);
  sharing.of = null;
  byId("shared-words").textContent = "";
  byId("shared").querySelector(".scroll").hidden = true;
});
