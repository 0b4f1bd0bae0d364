// The text editor: one view that shows one of several documents, each with its own history, cursor and problems.
// It lives in a shadow root, where its styles are adopted style sheets: the page needs no 'unsafe-inline'.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, Transaction } from "@codemirror/state";
import {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--syntax-key)" },
  { tag: [tags.string, tags.content, tags.special(tags.string)], color: "var(--syntax-text)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--syntax-number)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--text-2)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.meta, tags.typeName, tags.labelName], color: "var(--syntax-number)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "12px", color: "var(--text)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "19px", fontVariantLigatures: "none" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 8px 0 4px" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--text-3)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 4px 0 8px", minWidth: "26px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active-line)" },
  ".cm-activeLineGutter": { color: "var(--text-2)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--selection)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--selection)" },
  ".cm-foldGutter .cm-gutterElement": { cursor: "pointer", padding: "0 2px" },
  ".cm-gutter-lint": { width: "14px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-lint-marker": { width: "8px", height: "8px", margin: "5px 3px", borderRadius: "50%", content: "none" },
  ".cm-lint-marker-error": { backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { backgroundColor: "var(--warn)", borderRadius: "2px" },
  ".cm-lint-marker-info": { backgroundColor: "var(--text-3)", borderRadius: "2px" },
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { textDecoration: "underline wavy var(--bad) 1px", textUnderlineOffset: "3px" },
  ".cm-lintRange-warning": { textDecoration: "underline wavy var(--warn) 1px", textUnderlineOffset: "3px" },
  ".cm-lintRange-info": { textDecoration: "underline dotted var(--text-2) 1px", textUnderlineOffset: "3px" },
  ".cm-lintPoint::after": { display: "none" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)", border: "1px solid var(--line)", borderRadius: "6px", color: "var(--text)",
    fontFamily: "var(--sans)", maxWidth: "420px",
  },
  ".cm-diagnostic": { padding: "6px 10px", borderLeft: "3px solid var(--text-3)" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--text)", fontFamily: "var(--sans)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-textfield, .cm-button": {
    backgroundColor: "var(--panel)", backgroundImage: "none", color: "var(--text)", border: "1px solid var(--line)",
    borderRadius: "6px",
  },
});

/** A larger text is no document: it is handed over as it is, and never stands in the editor. */
const LARGEST = 4 << 20;

/** What may be a scenario; reading it tells. */
const SCENARIO = /["']?kind["']?\s*:\s*["']?Scenario\b/;

/**
 * Creates the editor in an element. `tell(document, text)` is told what a person typed, `tell("", text)` what may be a
 * scenario, and `tell(document, name, blob)` what was pasted or dropped and is too large.
 */
export function create(host, tell) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const words = new Compartment();
  const label = new Compartment();
  const states = new Map();
  let phrases = {};
  let shown = null;
  const opened = (text) => tell("", text);

  /** Reads a file; a large one goes to the document that takes dumps. */
  const open = async (file) => {
    if (file.size > LARGEST) tell("cluster", file.name, file);
    else opened(await file.text());
  };
  /** Whether something was taken that is no text to be put in where the cursor is. */
  const take = (event, text, file) => {
    if (file && file.size <= LARGEST) {
      file.text().then((text) => {
        if (SCENARIO.test(text)) opened(text);
        else view.dispatch(view.state.replaceSelection(text));
      });
    } else if (file || text.length > LARGEST) tell(shown, file?.name ?? "cluster.json", file ?? new Blob([text]));
    else if (SCENARIO.test(text)) opened(text);
    else return false;
    event.preventDefault();
    return true;
  };
  const handOver = (data) => [data?.getData("text/plain") ?? "", data?.files?.[0]];
  // A file dropped beside the editor is opened, and never leads away from the page.
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (file) open(file);
  });

  const extensions = [
    EditorView.domEventHandlers({
      paste: (event) => take(event, ...handOver(event.clipboardData)),
      drop: (event) => take(event, ...handOver(event.dataTransfer)),
    }),
    lineNumbers(), lintGutter(), foldGutter({ openText: "▾", closedText: "▸" }), highlightSpecialChars(), history(),
    drawSelection(), indentOnInput(), bracketMatching(), highlightActiveLine(), highlightActiveLineGutter(),
    highlightSelectionMatches(), search(), yaml(), indentUnit.of("  "), syntaxHighlighting(colours), theme,
    EditorState.tabSize.of(2),
    // F8 goes from problem to problem; Escape and then Tab leaves the editor.
    keymap.of([
      ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab,
      { key: "F8", run: nextDiagnostic },
    ]),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      const typed = update.transactions.some((transaction) => transaction.annotation(Transaction.remote) !== true);
      if (typed) tell(shown, update.state.doc.toString());
    }),
  ];
  const fresh = (text) => EditorState.create({
    doc: text,
    extensions: [
      ...extensions,
      words.of(EditorState.phrases.of(phrases)),
      label.of(EditorView.contentAttributes.of({ "aria-label": shown ?? "" })),
    ],
  });
  const view = new EditorView({ root, parent: root, state: fresh("") });

  const diagnose = (state, problems) => {
    const length = state.doc.length;
    return problems
      .map((problem) => {
        const from = Math.min(problem.from, length);
        return {
          from,
          to: Math.min(Math.max(problem.to, from), length),
          severity: problem.severity,
          message: problem.message,
        };
      })
      .sort((a, b) => a.from - b.from);
  };

  return {
    /** Shows a document, with this text unless it stands there already. */
    show(name, text, title) {
      if (shown !== name) {
        if (shown !== null) states.set(shown, [view.state, view.scrollDOM.scrollTop]);
        shown = name;
        const [state, top] = states.get(name) ?? [fresh(text), 0];
        view.setState(state);
        view.scrollDOM.scrollTop = top;
      }
      // Another text, from a knob or a file: it can be undone.
      if (view.state.doc.toString() !== text) {
        view.dispatch({
          changes: { from: 0, to: view.state.doc.length, insert: text },
          annotations: Transaction.remote.of(true),
        });
      }
      view.dispatch({
        effects: [
          words.reconfigure(EditorState.phrases.of(phrases)),
          label.reconfigure(EditorView.contentAttributes.of({ "aria-label": title })),
        ],
      });
    },
    /** Underlines the problems of the document that is shown. */
    setProblems(problems) {
      view.dispatch(setDiagnostics(view.state, diagnose(view.state, problems)));
    },
    /** The editor's own words, a line `English=word` each. */
    setPhrases(lines) {
      phrases = Object.fromEntries(lines.split("\n").filter(Boolean).map((line) => line.split("=")));
      view.dispatch({ effects: words.reconfigure(EditorState.phrases.of(phrases)) });
    },
    open,
    /** Selects a range, brings it into sight and takes the focus. */
    jump(from, to) {
      const length = view.state.doc.length;
      const anchor = Math.min(from, length);
      const head = Math.min(to, length);
      view.dispatch({
        selection: { anchor, head },
        effects: EditorView.scrollIntoView(anchor, { y: "center" }),
      });
      view.focus();
    },
    focus() {
      view.focus();
    },
    destroy() {
      view.destroy();
    },
  };
}
