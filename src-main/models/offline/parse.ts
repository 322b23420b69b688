import type { Action, ActionName } from './actions';
import { chinese } from './chinese';
import { english } from './english';
import type { Language } from './language';
import { QUOTES, type Template, template, textOf, unquote } from './template';

export type Request =
  /** Steps run in order; the actions of one step run in parallel. */
  | { understood: true; language: Language; steps: Action[][] }
  /** `unclear`: the part that was not understood, if others were. */
  | { understood: false; language: Language; unclear: string | null };

const LANGUAGES = [english, chinese];

/** `all` of a replace is set if its pattern contains this word. */
const SAYS_ALL = /\((?:every\|all|所有\|全部)\)/;

interface Row {
  action: ActionName;
  template: Template;
  all: boolean;
}

const TABLES = new Map<Language, readonly Row[]>(
  LANGUAGES.map((language) => [
    language,
    language.grammar.flatMap(([action, ...patterns]) =>
      patterns.map((pattern) => ({
        action,
        template: template(pattern, language.space),
        all: SAYS_ALL.test(pattern),
      })),
    ),
  ]),
);

/**
 * Parses a request in the offline assistant's command language, in English or Chinese. Guesses nothing: if a part of a
 * longer request is not understood, the whole request is not.
 */
export function parseRequest(text: string): Request {
  const groups = text.trim() === '' ? [] : group(split(text));
  const first = groups[0]?.reading;
  const language = groups.find((one) => one.reading)?.reading?.language ?? (hasHan(text) ? chinese : english);
  if (first === undefined) return { understood: false, language, unclear: null };

  const steps: Action[][] = [];
  for (const { reading, source, parallel } of groups) {
    if (!reading) {
      const others = groups.length > 1 && groups.some((one) => one.reading);
      return { understood: false, language, unclear: others ? source.trim() : null };
    }
    const last = steps.at(-1);
    if (parallel && last) last.push(reading.action);
    else steps.push([reading.action]);
  }
  return { understood: true, language, steps };
}

interface Reading {
  language: Language;
  action: Action;
}

/** A single request; null if no pattern matches. */
function readOne(text: string): Reading | null {
  for (const language of LANGUAGES) {
    const said = text.replace(language.opening, '').trim();
    for (const row of TABLES.get(language) ?? []) {
      const slots = row.template.match(said);
      const action = slots && build(row, slots, said);
      if (action) return { language, action };
    }
  }
  return null;
}

function build(row: Row, slots: Record<string, string>, source: string): Action | null {
  const name = (slot: string) => unquote(slots[slot] ?? '');
  const text = (slot: string) => textOf(slots[slot] ?? '');
  const optional = (slot: string) => (slots[slot] === undefined ? null : unquote(slots[slot]));
  switch (row.action) {
    case 'list':
      return { do: 'list', source, dir: optional('dir') };
    case 'read': {
      const line = slots.line === undefined ? null : Number(slots.line);
      return line === 0 ? null : { do: 'read', source, file: name('file'), fromLine: line };
    }
    case 'find':
      return text('text') === '' ? null : { do: 'find', source, text: text('text'), dir: optional('dir') };
    case 'files':
      return { do: 'files', source, glob: name('glob') };
    case 'create':
      return { do: 'create', source, file: name('file'), text: text('text') };
    case 'replace':
      return { do: 'replace', source, from: text('from'), to: text('to'), file: name('file'), all: row.all };
    case 'delete':
      return { do: 'delete', source, file: name('file') };
    case 'run':
      return { do: 'run', source, command: unquote(slots.rest ?? '') };
    case 'remember':
      return remember(slots.rest ?? '', source);
    case 'recall':
      return { do: 'recall', source, about: optional('text') };
    case 'forget':
      return { do: 'forget', source, name: name('file') };
    case 'plan': {
      const items = unquote(slots.rest ?? '')
        .split(/[;；\n]/u)
        .map((item) => item.trim());
      const named = items.filter((item) => item !== '');
      return named.length === 0 ? null : { do: 'plan', source, items: named };
    }
    case 'delegate':
      return { do: 'delegate', source, request: unquote(slots.rest ?? '') };
    case 'demo':
      return { do: 'demo', source };
  }
}

/** A name ends with a colon that is not part of a time or an address, and is at most as long as a title. */
const NAMED = /^(?<name>[^:：\n"“”「」]{1,40}?)(?::\s+|：\s*)(?<text>[\s\S]+)$/u;

function remember(rest: string, source: string): Action | null {
  const { name, text } = NAMED.exec(rest)?.groups ?? {};
  const words = textOf((text ?? rest.replace(/^that\s+/iu, '')).trim());
  if (words.trim() === '') return null;
  return { do: 'remember', source, name: name === undefined ? null : unquote(name.trim()), text: words };
}

interface Piece {
  text: string;
  /** The separator before it: nothing for the first, a line end, `then`, or `+`. */
  before: { kind: 'line' | 'then' | 'plus'; text: string };
}

interface Group {
  source: string;
  reading: Reading | null;
  parallel: boolean;
}

/**
 * Rejoins pieces that are not requests with the previous one: `run expr 1 + 2` is one command, and a sub-agent's request
 * extends to the end of the line.
 */
function group(pieces: readonly Piece[]): Group[] {
  const groups: Group[] = [];
  for (const { text, before } of pieces) {
    const reading = readOne(text);
    const last = groups.at(-1);
    const belongsToLast =
      last !== undefined &&
      before.kind !== 'line' &&
      (reading === null || (last.reading?.action.do === 'delegate' && reading.action.do !== 'delegate'));
    if (belongsToLast) {
      last.source += before.text + text;
      last.reading = readOne(last.source);
    } else groups.push({ source: text, reading, parallel: before.kind === 'plus' });
  }
  return groups;
}

const LINE = /\s*\n\s*/uy;
const PLUS = /\s+[+＋]\s+/uy;

/** Splits at line ends, `then` and `+`, outside quotes. Drops empty lines. */
function split(text: string): Piece[] {
  const separators = [
    { kind: 'line', regex: LINE },
    { kind: 'plus', regex: PLUS },
    ...LANGUAGES.map(({ thenWord }) => ({ kind: 'then', regex: thenWord }) as const),
  ] as const;
  const pieces: Piece[] = [];
  let before: Piece['before'] = { kind: 'line', text: '' };
  let start = 0;
  const close = (end: number) => {
    const piece = text.slice(start, end);
    if (piece.trim() !== '') pieces.push({ text: piece, before });
  };
  for (let at = 0; at < text.length; ) {
    const afterQuote = quoteEnd(text, at);
    if (afterQuote !== null) {
      at = afterQuote;
      continue;
    }
    const hit = separators
      .map(({ kind, regex }) => {
        regex.lastIndex = at;
        return { kind, found: regex.exec(text)?.[0] };
      })
      .find(({ found }) => found !== undefined && found !== '');
    if (hit?.found === undefined) {
      at += 1;
      continue;
    }
    close(at);
    before = { kind: hit.kind, text: hit.found };
    at += hit.found.length;
    start = at;
  }
  close(text.length);
  return pieces;
}

/**
 * The end of the quoted text that starts at `at`; null if there is none. A quote within a word (don't) and an unclosed quote
 * do not count.
 */
function quoteEnd(text: string, at: number): number | null {
  const closing = QUOTES[text.charAt(at)];
  if (closing === undefined) return null;
  const ascii = text.charAt(at) === closing;
  if (
    ascii &&
    at > 0 &&
    /[\p{Letter}\p{Number}\\]/u.test(text.charAt(at - 1)) &&
    !hasHan(text.charAt(at - 1))
  )
    return null;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text.charAt(end) === '\\') end += 1;
    else if (text.charAt(end) === closing) return end + 1;
  }
  return null;
}

const hasHan = (text: string) => /\p{Script=Han}/u.test(text);
