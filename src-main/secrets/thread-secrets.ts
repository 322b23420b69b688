import { createHmac } from 'node:crypto';
import type { CallId } from '../contract/ids';
import type { RedactedSecret, SecretPlace } from '../contract/secrets';
import { optional } from '../contract/shared/optional';
import { descriptorOf } from '../harness/tools/catalogue';
import { decodedIn } from './decoded';
import { type EncodedForm, encodedForms } from './encoded';
import { inOneLine, type Shortened, withoutEscapes } from './escapes';
import { findSecrets } from './find';
import { type Found, SECRET_KINDS } from './kinds';

/** Persistent storage of a thread's numbers. Contains no values. */
export interface SecretBook {
  list(): KnownSecret[];
  save(secret: KnownSecret): void;
}

export type KnownSecret = RedactedSecret & { digest: string };

export interface SecretsOptions {
  /** Null: secrets get no numbers, and nothing about them is stored. */
  book: SecretBook | null;
  /** For the digests that identify values. */
  key: Uint8Array;
  /** Values by their digests, in memory only; several threads may share them. */
  values: Map<string, string>;
  /** Deepdesk's own keys, which are never allowed. */
  own: () => readonly string[];
  /** Whether likely secrets are redacted. */
  isGuarded: () => boolean;
}

/** The origin of a text. */
export interface TextSource {
  tool?: string;
  callId?: CallId;
  /** The file of the text, if any. */
  path?: string;
  /** Number of lines before it in the file. */
  linesBefore?: number;
}

export type Restored =
  | { kind: 'restored'; text: string }
  /** The value is no longer in memory: a caller that can should read it again. */
  | { kind: 'gone'; number: number }
  /** The value was not seen in that file. */
  | { kind: 'elsewhere'; number: number };

/** Maximum stored places of one secret. */
const MAX_PLACES = 20;
/** Minimum length of what is searched for across line ends; shorter texts would match by chance. */
const LEAST_BROKEN = 16;
/** UTF-16 units of a text that is always put in one line, which takes about 13 ms for a million. */
const ALWAYS_IN_ONE_LINE = 100_000;
/** Of two such pieces at the start of a value, lines of at least `LEAST_BROKEN` units leave one whole. */
const PIECE = LEAST_BROKEN / 2;
/** Minimum length of an own key to search for; shorter ones are words. */
const LEAST_OWN = 6;

/** Threads saved by an earlier version contain `withheld`. */
const PLACEHOLDER = /\[secret (?:redacted|withheld): [A-Za-z0-9 ]{1,60}, #(\d{1,6})\]/g;

/** Whether a text contains a placeholder of a redacted value. */
export const hasPlaceholder = (text: string): boolean => text.search(PLACEHOLDER) >= 0;

interface Span extends Found {
  value: string;
  encoded?: string;
}

/** The secrets of one thread: redacts and numbers them, and restores them in their original place. */
export class ThreadSecrets {
  private known: KnownSecret[];
  private readonly ofCall = new Map<string, Set<number>>();
  private readonly forms = new Map<string, readonly EncodedForm[]>();
  private changes = 0;

  constructor(private readonly options: SecretsOptions) {
    this.known = options.book?.list() ?? [];
  }

  /** Increases whenever the result for the same text may change. */
  get version(): number {
    return this.changes;
  }

  list(): RedactedSecret[] {
    return this.known.map(({ digest: _, ...secret }) => secret);
  }

  /** Numbers of the secrets redacted from a call's result. */
  numbersOf(callId: string): number[] {
    return [...(this.ofCall.get(callId) ?? [])];
  }

  /** Null if there is no such secret; `value` is undefined if it is not in memory. */
  find(number: number): { secret: RedactedSecret; value: string | undefined } | null {
    const known = this.known.find((one) => one.number === number);
    return known === undefined ? null : { secret: known, value: this.options.values.get(known.digest) };
  }

  /** Applies the person's decision; false if the secret does not exist or is Deepdesk's own. */
  allow(number: number, allowed: boolean): boolean {
    const known = this.known.find((one) => one.number === number);
    if (known === undefined || known.kind === 'own') return false;
    this.keep({ ...known, allowed });
    return true;
  }

  /** Numbers and allows the secrets in a text, because the person sends it on purpose. */
  allowIn(text: string): void {
    for (const { kind, value } of this.spans(text)) {
      if (kind === 'own') continue;
      const known = this.note(kind, value, undefined);
      if (known !== null) this.keep({ ...known, allowed: true });
    }
  }

  /** The likely secrets in a text, except allowed ones; records nothing. */
  detect(text: string): Found[] {
    return this.spans(text);
  }

  /** Replaces secrets with placeholders; returns the same text if there are none. */
  redact(text: string, source: TextSource = {}): string {
    if (text.length < LEAST_OWN) return text;
    const bare = withoutEscapes(text);
    const spans = this.spans(bare?.text ?? text, source.tool);
    if (spans.length === 0) return text;
    let clean = '';
    let last = 0;
    for (const { start, end, kind, value, encoded } of spans) {
      const place = placeOf(bare?.text ?? text, start, source);
      const known = this.note(kind, value, encoded, place);
      const words = encoded === undefined ? SECRET_KINDS[kind] : `${SECRET_KINDS[kind]} in ${encoded}`;
      const [from, to] = bare === null ? [start, end] : [bare.at(start), bare.at(end - 1) + 1];
      clean += text.slice(last, from);
      clean +=
        known === null ? `[secret redacted: ${words}]` : `[secret redacted: ${words}, #${known.number}]`;
      last = to;
      if (known !== null && source.callId !== undefined) {
        const numbers = this.ofCall.get(source.callId) ?? new Set<number>();
        this.ofCall.set(source.callId, numbers.add(known.number));
      }
    }
    return clean + text.slice(last);
  }

  /** Restores the values for writing `path`: only those seen in that file, or allowed by the person. */
  restore(text: string, path: string): Restored {
    let clean = '';
    let last = 0;
    for (const match of text.matchAll(PLACEHOLDER)) {
      const number = Number(match[1]);
      const known = this.known.find((one) => one.number === number);
      // Not ours, only similar text.
      if (known === undefined) continue;
      const isThere = known.places.some((place) => place.path === path);
      if (!isThere && !known.allowed) return { kind: 'elsewhere', number };
      const value = this.options.values.get(known.digest);
      if (value === undefined) return { kind: 'gone', number };
      clean += text.slice(last, match.index) + value;
      last = match.index + match[0].length;
    }
    return { kind: 'restored', text: clean + text.slice(last) };
  }

  /** The number of our first placeholder in a text; null if there is none. */
  placeholderIn(text: string): number | null {
    for (const match of text.matchAll(PLACEHOLDER)) {
      const number = Number(match[1]);
      if (this.known.some((one) => one.number === number)) return number;
    }
    return null;
  }

  private spans(text: string, tool?: string): Span[] {
    const spans: Span[] = [];
    let line: Shortened | null | undefined;
    const mayBeBroken = (found: string) =>
      found.length >= LEAST_BROKEN &&
      (text.length <= ALWAYS_IN_ONE_LINE ||
        text.includes(found.slice(0, PIECE)) ||
        text.includes(found.slice(PIECE, 2 * PIECE)));
    /** Where a value is broken over several lines. */
    const addBroken = (value: string, kind: Found['kind'], found: string, encoded?: string) => {
      if (!mayBeBroken(found)) return;
      line ??= inOneLine(text);
      if (line === null) return;
      for (let at = line.text.indexOf(found); at >= 0; at = line.text.indexOf(found, at + found.length)) {
        const [start, end] = [line.at(at), line.at(at + found.length - 1) + 1];
        if (end - start === found.length) continue;
        const written = withoutLabels(text.slice(start, end), tool);
        spans.push({
          start,
          end,
          kind,
          value: encoded === undefined ? value : written,
          ...optional({ encoded }),
        });
      }
    };
    const add = (value: string, kind: Found['kind'], found: string, encoded?: string) => {
      for (let at = text.indexOf(found); at >= 0; at = text.indexOf(found, at + found.length))
        spans.push({
          start: at,
          end: at + found.length,
          kind,
          value: encoded === undefined ? value : found,
          ...optional({ encoded }),
        });
      addBroken(value, kind, found, encoded);
    };
    const exact = (value: string, kind: Found['kind']) => {
      add(value, kind, value);
      for (const { form, text: written } of this.formsOf(value)) add(value, kind, written, form);
    };
    for (const value of this.options.own()) if (value.length >= LEAST_OWN) exact(value, 'own');
    if (this.options.isGuarded()) {
      for (const { kind, allowed, digest, encoded } of this.known) {
        const value = this.options.values.get(digest);
        if (value === undefined || allowed || kind === 'own') continue;
        if (encoded === undefined) exact(value, kind);
        else add(value, kind, value);
      }
      for (const found of findSecrets(text)) {
        const value = withoutLabels(text.slice(found.start, found.end), tool);
        if (!this.isAllowed(value)) spans.push({ ...found, value });
      }
    }
    spans.push(...this.decodedSpans(text, tool, spans));
    if (spans.length < 2) return spans;
    spans.sort((a, b) => a.start - b.start || b.end - a.end);
    const apart: Span[] = [];
    for (const span of spans) {
      const last = apart.at(-1);
      if (last === undefined || span.start >= last.end) apart.push({ ...span });
      else if (span.end > last.end) {
        last.end = span.end;
        last.value = text.slice(last.start, last.end);
      }
    }
    return apart;
  }

  /** Secrets in base64 and in dumps that are not among the forms of known ones. */
  private decodedSpans(text: string, tool: string | undefined, known: readonly Span[]): Span[] {
    const spans: Span[] = [];
    const isGuarded = this.options.isGuarded();
    for (const { form, text: inner, range } of decodedIn(text)) {
      const own = this.options.own().flatMap((value) => placesIn(inner, value, 'own'));
      const likely = isGuarded ? [...this.knownIn(inner), ...findSecrets(inner)] : [];
      for (const { start: from, end: to, kind } of [...own, ...likely]) {
        if (kind !== 'own' && this.isAllowed(Buffer.from(inner.slice(from, to), 'latin1').toString()))
          continue;
        const { start, end } = range(from, to);
        if (known.some((span) => span.start < end && start < span.end)) continue;
        spans.push({ start, end, kind, value: withoutLabels(text.slice(start, end), tool), encoded: form });
      }
    }
    return spans;
  }

  private knownIn(inner: string): Found[] {
    return this.known.flatMap(({ kind, allowed, digest, encoded }) => {
      const value = this.options.values.get(digest);
      const isLooked = value !== undefined && !allowed && kind !== 'own' && encoded === undefined;
      return isLooked ? placesIn(inner, value, kind) : [];
    });
  }

  private formsOf(value: string): readonly EncodedForm[] {
    const known = this.forms.get(value) ?? encodedForms(value);
    this.forms.set(value, known);
    return known;
  }

  private isAllowed(value: string): boolean {
    if (!this.known.some(({ allowed }) => allowed)) return false;
    const digest = this.digestOf(value);
    return this.known.some((one) => one.digest === digest && one.allowed);
  }

  private note(
    kind: Found['kind'],
    value: string,
    encoded: string | undefined,
    place?: SecretPlace,
  ): KnownSecret | null {
    if (this.options.book === null) return null;
    const digest = this.digestOf(value);
    if (!this.options.values.has(digest)) {
      this.options.values.set(digest, value);
      this.changes++;
    }
    const old = this.known.find((one) => one.digest === digest);
    const isNew =
      place !== undefined &&
      old?.places.every((known) => known.path !== place.path || known.line !== place.line) !== false;
    if (old !== undefined && (!isNew || old.places.length >= MAX_PLACES)) return old;
    return this.keep({
      number: old?.number ?? (this.known.at(-1)?.number ?? 0) + 1,
      kind: old?.kind ?? kind,
      ...optional({ encoded }),
      places: [...(old?.places ?? []), ...(place === undefined ? [] : [place])],
      allowed: old?.allowed ?? false,
      digest,
    });
  }

  private keep(secret: KnownSecret): KnownSecret {
    const old = this.known.find(({ number }) => number === secret.number);
    if (old?.allowed !== secret.allowed) this.changes++;
    this.known =
      old === undefined ? [...this.known, secret] : this.known.map((one) => (one === old ? secret : one));
    this.options.book?.save(secret);
    return secret;
  }

  private digestOf(value: string): string {
    return createHmac('sha256', this.options.key).update(value).digest('hex').slice(0, 32);
  }
}

/** Where a value is in a text with one character per byte. */
function placesIn(bytes: string, value: string, kind: Found['kind']): Found[] {
  const wanted = Buffer.from(value).toString('latin1');
  const found: Found[] = [];
  if (wanted.length < LEAST_OWN) return found;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + wanted.length))
    found.push({ start: at, end: at + wanted.length, kind });
  return found;
}

const LABELS = {
  page: /\n {0,6}\d+(?:\.\d+)?\t/g,
  matches: /\n {2}\d+[:-] /g,
};

const linesOf = (tool: string | undefined) => descriptorOf(tool ?? '')?.resultLines;

/** A multi-line value without the line numbers from the tool. */
const withoutLabels = (value: string, tool: string | undefined): string => {
  const lines = linesOf(tool);
  return lines === undefined ? value : value.replace(LABELS[lines], '\n');
};

/** The nearest line above that is not indented, if it names a file. */
function headerBefore(text: string, lineStart: number): string | undefined {
  for (let end = lineStart - 1; end >= 0; ) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end);
    if (!line.startsWith('  ')) return line.length > 1 && line.endsWith(':') ? line.trimStart() : undefined;
    end = start - 1;
  }
  return undefined;
}

/** The file and line of a place in a tool's result, as far as its format shows. */
function placeOf(text: string, at: number, { tool, callId, path, linesBefore = 0 }: TextSource): SecretPlace {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const line = text.slice(lineStart, Math.min(at, lineStart + 20));
  const about = {
    ...optional({ tool, callId }),
  };
  const lines = linesOf(tool);
  const label = lines === 'matches' ? /^ {2}(\d+)[:-] /.exec(line) : /^ {0,6}(\d+)(?:\.\d+)?\t/.exec(line);
  if (lines === 'matches' && label !== null) {
    const header = headerBefore(text, lineStart);
    return {
      ...about,
      ...(header === undefined ? {} : { path: header.slice(0, -1) }),
      line: Number(label[1]),
    };
  }
  if (lines === 'page' && label !== null) return { ...about, ...optional({ path }), line: Number(label[1]) };
  let count = 1;
  for (let from = text.indexOf('\n'); from >= 0 && from < at; from = text.indexOf('\n', from + 1)) count++;
  return { ...about, ...optional({ path }), line: linesBefore + count };
}
