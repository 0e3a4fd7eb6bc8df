// ---- the lines of robots.txt: one tooltip element serves all lines of a table body

document.querySelectorAll(".heat").forEach(function (table) {
  // The cells have lines as text; the style shows them as code.
  table.querySelectorAll("tbody tr").forEach(function (row) {
    var cell = row.cells[1], code = document.createElement("code");
    if (cell.querySelector("code")) return;
    code.append.apply(code, cell.childNodes);
    cell.append(code);
  });
  // A cell that spans many rows is copied into each row.
  table.querySelectorAll("td[rowspan]").forEach(function (cell) {
    var rows = cell.closest("tbody").rows, tip = cell.querySelector(".tip"), held = cell.firstElementChild;
    if (tip) rows[0].cells[1].append(tip);
    if (held) held.replaceWith.apply(held, held.childNodes);
    cell.removeAttribute("rowspan");
    for (var i = 1; i < rows.length; i++) rows[i].append(cell.cloneNode(true));
  });
  function follow(e) {
    var row = e.target.closest("tbody tr"), tip = row && row.parentNode.querySelector(".tip");
    if (!tip || tip.closest("tr") === row) return;
    row.cells[1].append(tip);
    tip.classList.toggle("up", row.rowIndex > 3 && row.rowIndex > table.rows.length - 5);
  }
  table.addEventListener("mouseover", follow);
  table.addEventListener("focusin", follow);
  table.querySelectorAll(".tip").forEach(function (tip) {
    Array.prototype.forEach.call(tip.closest("tbody").rows, function (row) {
      var line = row.cells[1].firstElementChild;
      line.setAttribute("aria-describedby", tip.id);
      if (line.localName === "button") return;
      line.tabIndex = 0;
      line.setAttribute("role", "note");
    });
  });
});

// ---- folded parts: a link to one opens it

function unfold() {
  var part = document.getElementById(location.hash.slice(1)), fold = part && part.closest("details");
  if (!fold || fold.open) return;
  fold.open = true;
  fold.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
unfold();
