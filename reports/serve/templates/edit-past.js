// ---- undo and redo, of typing and of inserted texts

var past = [], now = -1; // states, and the index of the current one
var mostStates = 500, mostHeld = 20e6; // limits of states, and of their characters
var typed = 1000;                      // milliseconds within which typing is one step

// fileOf returns a file with its exact text, and with its text as in a textarea, where lines end in "\n".
function fileOf(exact) {
  var ends = { "\r\n": 0, "\n": 0, "\r": 0 }, end = "\n";
  (exact.match(/\r\n?|\n/g) || []).forEach(function (e) { ends[e]++; });
  Object.keys(ends).forEach(function (e) { if (ends[e] > ends[end]) end = e; });
  return { exact: exact, text: exact.replace(/\r\n?/g, "\n"), end: end };
}

var file = fileOf("");

// wholeText is the text with the file's own line ends.
function wholeText() { return text === file.text ? file.exact : file.end === "\n" ? text : text.replace(/\n/g, file.end); }

// enter records the text of the field as a state. Quick changes of the same kind are one state.
function enter(kind) {
  var is = past[now], time = Date.now();
  past.length = now + 1;
  if (is && kind && is.kind === kind && time - is.time < typed && past.length > 1) {
    is.text = text;
    is.time = time;
  } else {
    past.push({ text: text, file: file, kind: kind, time: time });
    now++;
  }
  var held = 0;
  for (var i = past.length - 1; i >= 0; i--) {
    held += past[i].text.length;
    if (i < past.length - 1 && (held > mostHeld || past.length - i > mostStates)) {
      past.splice(0, i + 1);
      now -= i + 1;
      break;
    }
  }
  showHistory();
}

function showHistory() {
  byId("undo").disabled = now <= 0;
  byId("redo").disabled = now >= past.length - 1;
}

// put replaces the text of the field, as one step.
function put(next, from) {
  if (from) file = from;
  showText(next);
  enter("");
  changed();
}

// showText shows a text in the field, with the caret after the part that differs.
function showText(next) {
  var before = area.value, end = 0, most = Math.min(before.length, next.length), begin = 0;
  while (begin < most && before[begin] === next[begin]) begin++;
  while (end < most - begin && before[before.length - 1 - end] === next[next.length - 1 - end]) end++;
  var top = area.scrollTop, left = area.scrollLeft;
  area.value = next;
  var by = readLines(), caret = next.length - end;
  area.setSelectionRange(caret, caret);
  area.scrollTop = top;
  area.scrollLeft = left;
  var at = (lineOf(caret) - 1) * lineHeight;
  if (at < top || at > top + area.clientHeight - 2 * lineHeight) area.scrollTop = Math.max(0, at - area.clientHeight / 2);
  moveMarks(by);
}

function step(by) {
  if (!past[now + by]) return;
  now += by;
  file = past[now].file;
  past[now].kind = "";
  showText(past[now].text);
  showHistory();
  changed();
}

function undo() { step(-1); }
function redo() { step(1); }

area.addEventListener("input", function (e) {
  moveMarks(readLines());
  enter(/^(insertText|insertCompositionText|deleteContentBackward|deleteContentForward)$/.test(e.inputType) ? e.inputType : "");
  changed();
});

area.addEventListener("beforeinput", function (e) {
  if (e.inputType !== "historyUndo" && e.inputType !== "historyRedo") return;
  e.preventDefault();
  if (e.inputType === "historyUndo") undo(); else redo();
});

area.addEventListener("keydown", function (e) {
  if (!(e.ctrlKey || e.metaKey) || e.altKey) return;
  var key = e.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  e.preventDefault();
  if (key === "y" || e.shiftKey) redo(); else undo();
});

byId("undo").addEventListener("click", undo);
byId("redo").addEventListener("click", redo);
