// ---- the tips of the lines of robots.txt: one for all lines of a body of their table

document.querySelectorAll(".heat").forEach(function (table) {
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
