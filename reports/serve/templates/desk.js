(function () {
"use strict";

// A running run shows its progress.
document.querySelectorAll("[data-progress]").forEach(function (at) {
  var said = at.querySelector("[role=status]");
  var source = new EventSource(at.dataset.progress);
  source.onmessage = function (message) {
    var p = JSON.parse(message.data);
    if (p.ended) {
      source.close();
      location.reload();
      return;
    }
    said.textContent = p.text;
  };
});

// The newest days are on the right.
document.querySelectorAll(".heat").forEach(function (at) { at.scrollLeft = at.scrollWidth; });

// An index that is being built shows its progress. Then the search runs again.
document.querySelectorAll("[data-indexing]").forEach(function (at) {
  var said = at.querySelector("[role=status]");
  function ask() {
    fetch(at.dataset.indexing, { headers: { Accept: "application/json" } }).then(function (answer) {
      if (answer.status !== 202) {
        location.reload();
        return;
      }
      return answer.json().then(function (v) {
        if (said.textContent !== v.index.text) said.textContent = v.index.text;
        setTimeout(ask, 1000);
      });
    }).catch(function () { setTimeout(ask, 5000); });
  }
  setTimeout(ask, 500);
});
})();
