(function () {
"use strict";

// A run that goes on tells how far it is.
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
})();
