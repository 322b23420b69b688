import { join } from 'node:path';
import { readRegular } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import type { DiffHunk } from '../../contract/approvals';
import { boundedDiff } from '../../contract/bounded-diff';
import { MAX_DOCUMENT } from '../../contract/commands/files';
import { readDocument } from '../../harness/agent/media/documents';

/** Parts of a document that are shown or compared. */
const MAX_PARTS = 20_000;
/** UTF-16 units of the same. */
const MAX_TEXT = 2_000_000;

/** A sheet, a slide, or a whole text. */
interface Section {
  /** The name of a sheet; otherwise empty. */
  name: string;
  lines: string[];
}

export interface ShownDocument {
  unit: 'slide' | 'row' | 'paragraph';
  sections: Section[];
  /** It has more text than this. */
  cut: boolean;
}

/** The text of an office document. Null if it cannot be read. Cancel: rejects with the signal's reason. */
export async function documentText(bytes: Uint8Array, signal: AbortSignal): Promise<ShownDocument | null> {
  const job = { bytes, offset: 0, limit: MAX_PARTS, maxLength: MAX_TEXT };
  const report = await readDocument(job, { signal });
  if (!report.ok || report.text.unit === 'page') return null;
  const { unit, total, headings } = report.text;
  const parts = shortened(report.text.parts);
  return { unit, sections: sectionsOf(unit, parts, headings), cut: parts.length < total };
}

function shortened(parts: string[]): string[] {
  let length = 0;
  const end = parts.findIndex((part) => {
    length += part.length;
    return length > MAX_TEXT;
  });
  return end < 0 ? parts : parts.slice(0, end);
}

const SHEET = 'Sheet '.length;

function sectionsOf(unit: ShownDocument['unit'], parts: string[], headings?: number[]): Section[] {
  if (unit === 'slide')
    return parts.map((part) => ({ name: '', lines: part === '' ? [] : part.split('\n') }));
  if (headings === undefined) return [{ name: '', lines: parts }];
  return headings
    .filter((at) => at < parts.length)
    .map((at, index) => ({
      name: (parts[at] ?? '').slice(SHEET),
      lines: parts.slice(at + 1, headings[index + 1] ?? parts.length),
    }));
}

/**
 * How the text of a document changed; an empty side stands for a file that is not there. Null if one side cannot be read or
 * has too much text to compare. No hunks: only other things than its text changed.
 */
export async function documentDiff(
  sides: { before: Uint8Array; after: Uint8Array },
  maxLines: number,
  signal: AbortSignal,
): Promise<{ hunks: DiffHunk[]; cut: boolean } | null> {
  if (Math.max(sides.before.byteLength, sides.after.byteLength) > MAX_DOCUMENT) return null;
  const [before, after] = await Promise.all(
    [sides.before, sides.after].map((bytes) => linesOf(bytes, signal)),
  );
  return before == null || after == null ? null : boundedDiff(before, after, maxLines);
}

/** The same for a file in two folders. */
export async function documentBetween(
  folders: { before: string; after: string },
  path: string,
  maxLines: number,
  signal: AbortSignal,
): ReturnType<typeof documentDiff> {
  const [before, after] = await Promise.all(
    [folders.before, folders.after].map(async (root) => {
      const bytes = await readRegular(join(root, path), { root, links: 'none', maxBytes: MAX_DOCUMENT });
      if (!isRefused(bytes)) return bytes;
      return bytes.refused === 'missing' ? new Uint8Array() : null;
    }),
  );
  return before == null || after == null ? null : documentDiff({ before, after }, maxLines, signal);
}

async function linesOf(bytes: Uint8Array, signal: AbortSignal): Promise<string | null> {
  if (bytes.byteLength === 0) return '';
  const text = await documentText(bytes, signal);
  if (text === null || text.cut) return null;
  const heading = (name: string, index: number): string[] =>
    text.unit === 'slide' ? [`[${index + 1}]`] : name === '' ? [] : [`[${name}]`];
  const lines = text.sections.flatMap(({ name, lines: own }, index) => [...heading(name, index), ...own]);
  return lines.map((line) => `${line.replaceAll('\n', ' ')}\n`).join('');
}
