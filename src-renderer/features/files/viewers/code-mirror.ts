import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  LanguageDescription,
  syntaxHighlighting,
} from '@codemirror/language';
import { languages } from '@codemirror/language-data';
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';

/** CodeMirror's own colors, each mapped to ours, which follow the theme. */
const COLORS: Readonly<Record<string, string>> = {
  '#404740': 'var(--code-comment)',
  '#708': 'var(--code-keyword)',
  '#219': 'var(--code-constant)',
  '#164': 'var(--code-constant)',
  '#a11': 'var(--code-string)',
  '#e40': 'var(--code-string)',
  '#00f': 'var(--code-function)',
  '#30a': 'var(--code-parameter)',
  '#085': 'var(--code-function)',
  '#167': 'var(--code-function)',
  '#256': 'var(--code-function)',
  '#00c': 'var(--code-parameter)',
  '#940': 'var(--code-comment)',
  '#f00': 'var(--deny)',
};
const colors = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    typeof spec.color === 'string' ? { ...spec, color: COLORS[spec.color] ?? 'inherit' } : spec,
  ),
);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '0.78125rem', backgroundColor: 'var(--bg-sunken)', color: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.25rem' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--bg-sunken)', color: 'var(--text-3)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in oklch, var(--bg-hover) 60%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in oklch, var(--accent) 28%, transparent)',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in oklch, var(--ask) 35%, transparent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--ask)' },
  '.cm-panels': { backgroundColor: 'var(--bg-raised)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0.375rem',
    padding: '0.5rem 2.25rem 0.5rem 0.75rem',
    fontFamily: 'var(--font-sans)',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search :is(input, button, label)': { margin: '0', fontSize: 'var(--text-small)' },
  '.cm-panel.cm-search .cm-textfield': { flex: '1 1 9rem', minWidth: '0', fontSize: 'inherit' },
  '.cm-panel.cm-search :is(.cm-textfield, .cm-button)': {
    height: '1.75rem',
    padding: '0 0.5rem',
    border: '1px solid var(--line-strong)',
    borderRadius: '0.375rem',
    background: 'var(--bg)',
    color: 'var(--text)',
  },
  '.cm-panel.cm-search .cm-button:hover': { background: 'var(--bg-hover)' },
  '.cm-panel.cm-search label': {
    display: 'flex',
    alignItems: 'center',
    gap: '0.375rem',
    marginRight: '0.375rem',
    color: 'var(--text-2)',
  },
  '.cm-panel.cm-search [name=close]': {
    top: '0.5rem',
    right: '0.375rem',
    width: '1.75rem',
    height: '1.75rem',
    borderRadius: '0.375rem',
    fontSize: '1rem',
    color: 'var(--text-2)',
  },
  '.cm-panel.cm-search [name=close]:hover': { background: 'var(--bg-hover)' },
});

export interface CodeEditorOptions {
  parent: HTMLElement;
  name: string;
  text: string;
  /** For screen readers. */
  label: string;
  /** 0-based. */
  line: number;
  /** What was typed already, for the start of the line. */
  typed: string;
  /** Translations of CodeMirror's find panel, by their English text. */
  phrases: Record<string, string>;
  onChange(text: string): void;
  onSave(): void;
}

export interface CodeEditor {
  /** Replaces the text; undo restores it. */
  replace(text: string): void;
  text(): string;
  focus(): void;
  find(): void;
  close(): void;
}

/** A light editor: undo, find and replace, brackets, syntax colors. Escape, then Tab leaves it by keyboard. */
export function openCodeEditor(options: CodeEditorOptions): CodeEditor {
  const language = new Compartment();
  const tabs = /^\t/mu.test(options.text);
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of(tabs ? '\t' : '  '),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        syntaxHighlighting(colors),
        look,
        language.of([]),
        EditorState.phrases.of(options.phrases),
        // The explicit tabindex makes it focusable for tools that check for the attribute.
        EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0' }),
        keymap.of([
          {
            key: 'Mod-s',
            preventDefault: true,
            run: () => {
              options.onSave();
              return true;
            },
          },
          ...searchKeymap,
          ...historyKeymap,
          indentWithTab,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  const described = LanguageDescription.matchFilename(languages, options.name);
  // If a language cannot be loaded, the text stays plain.
  described?.load().then(
    (support) => view.dispatch({ effects: language.reconfigure(support) }),
    () => undefined,
  );
  const at = view.state.doc.line(Math.min(options.line + 1, view.state.doc.lines)).from;
  view.dispatch({
    changes: { from: at, insert: options.typed },
    selection: { anchor: at + options.typed.length },
    effects: EditorView.scrollIntoView(at, { y: 'center' }),
  });
  return {
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    find: () => void openSearchPanel(view),
    close: () => view.destroy(),
  };
}
