import { structuredPatch } from 'diff';
import type { BackendProtocol, FileInfo } from '../backends/protocol';
import type { CommandPart } from '../contract/control';
import type { DiffHunk, Preview } from '../contract/conversation';
import type { GateCall } from './call';
import { scriptBehind } from './command';
import type { ShellPart } from './shell/analyse';
import { touchedBy } from './shell/on-disk';
import type { ShellPlaces } from './shell/places';

/** Lines of context around a change. */
const CONTEXT = 3;

/** Lines shown of a change before it is cut; the card says so. */
const MAX_LINES = 2_000;

/** Files counted below a folder that would be deleted; beyond them the card says that there are more. */
const MAX_COUNTED = 10_000;
/** Folders listed for counting. */
const MAX_LISTINGS = 500;

/** Milliseconds for working out a diff; beyond it the whole old and new text are shown as one change. */
const DIFF_DEADLINE = 1_000;

interface PreviewOptions {
  backend: BackendProtocol;
  cwd: string;
  timeoutSeconds: number;
  signal: AbortSignal;
  /** How the command's words are read; null where they cannot be. */
  shell: ShellPlaces | null;
  /** The commands of an `execute` call, as they were judged. */
  parts: readonly ShellPart[];
  /** The rule that would let a part run. */
  ruleFor: (part: ShellPart) => string | undefined;
}

/** What the call will do to what is there now, read from the real bytes. */
export async function previewOf(
  call: GateCall,
  options: PreviewOptions,
): Promise<{ preview: Preview; fileVersion?: string }> {
  const { args } = call;
  const path = typeof args.file_path === 'string' ? args.file_path : '';
  switch (call.tool) {
    case 'execute':
      return { preview: await previewCommand(args, options) };
    case 'write_file':
      return previewWrite(path, String(args.content ?? ''), args, options);
    case 'edit_file':
      return previewEdit(path, args, options);
    case 'delete':
      return { preview: await previewDelete(path, options) };
    default:
      return { preview: { kind: 'arguments', json: json(args) } };
  }
}

async function previewCommand(args: Record<string, unknown>, options: PreviewOptions): Promise<Preview> {
  const { shell, signal } = options;
  const command = typeof args.command === 'string' ? args.command : JSON.stringify(args);
  const preview = {
    kind: 'command' as const,
    command,
    cwd: options.cwd,
    timeoutSeconds: timeoutOf(args, options.timeoutSeconds),
  };
  if (shell === null) return preview;
  const { touches, cut } = await touchedBy(command, shell, signal);
  return { ...preview, parts: await shownParts(options), touches, ...(cut ? { touchesCut: true } : {}) };
}

async function shownParts(options: PreviewOptions): Promise<CommandPart[]> {
  const { parts, ruleFor } = options;
  const wantsScript = parts.some(({ written }) => /^(npm|pnpm|yarn|bun)$/.test(written?.[0] ?? ''));
  const scripts = wantsScript ? await packageScripts(options) : {};
  return parts.map((part) => {
    const { text, verdict, reason, risk, program, written } = part;
    const script = scriptBehind(written, scripts);
    const rule = ruleFor(part);
    return {
      text,
      verdict,
      reason,
      risk,
      ...(program === undefined ? {} : { program }),
      ...(script === undefined ? {} : { script }),
      ...(rule === undefined ? {} : { rule }),
    };
  });
}

/** The scripts of the folder's package.json; none where it is not one. */
async function packageScripts(options: PreviewOptions): Promise<Record<string, unknown>> {
  const file = await readText(`${options.cwd.replace(/\/+$/, '')}/package.json`, options);
  if (!file.ok) return {};
  try {
    const { scripts } = JSON.parse(file.text) as { scripts?: unknown };
    return typeof scripts === 'object' && scripts !== null ? { ...scripts } : {};
  } catch {
    // What npm will say about it is not for the card to say.
    return {};
  }
}

function timeoutOf({ timeout, background }: Record<string, unknown>, usual: number): number | null {
  if (typeof timeout === 'number') return timeout;
  return background === true ? null : usual;
}

const json = (args: Record<string, unknown>) => JSON.stringify(args, null, 2);

async function readText(path: string, { backend, signal }: PreviewOptions) {
  const [raw, head] = await Promise.all([
    backend.readRaw(path, { signal }),
    backend.read(path, 0, 1, { signal }),
  ]);
  if (raw.error !== undefined || raw.data === undefined) {
    return {
      ok: false as const,
      missing: raw.kind === 'not_found',
      error: raw.error ?? 'It could not be read.',
    };
  }
  const { content } = raw.data;
  if (typeof content !== 'string' && !Array.isArray(content)) {
    return { ok: false as const, missing: false, error: `'${path}' is a binary file.` };
  }
  return {
    ok: true as const,
    text: typeof content === 'string' ? content : content.join('\n'),
    version: head.version,
  };
}

async function previewWrite(
  path: string,
  content: string,
  args: Record<string, unknown>,
  options: PreviewOptions,
) {
  const old = await readText(path, options);
  if (!old.ok && !old.missing) return { preview: problem(old.error, args) };
  const preview = diffPreview(path, old.ok ? old.text : '', content, !old.ok);
  return old.ok && old.version !== undefined ? { preview, fileVersion: old.version } : { preview };
}

async function previewEdit(path: string, args: Record<string, unknown>, options: PreviewOptions) {
  const old = await readText(path, options);
  if (!old.ok) return { preview: problem(old.error, args) };
  const changed = replaceText(old.text, args);
  if (!changed.ok) return { preview: problem(changed.error, args) };
  const preview = diffPreview(path, old.text, changed.text, false);
  return old.version === undefined ? { preview } : { preview, fileVersion: old.version };
}

function replaceText(
  text: string,
  args: Record<string, unknown>,
): { ok: true; text: string } | { ok: false; error: string } {
  const replacement = String(args.new_string ?? '');
  let find = String(args.old_string ?? '');
  let put = replacement;
  if (find === '')
    return text === ''
      ? { ok: true, text: replacement }
      : { ok: false, error: 'There is no text to replace.' };
  // The model writes \n; a file with CRLF is matched and kept as it is.
  if (!text.includes(find) && text.includes('\r\n')) {
    find = find.replaceAll(/\r?\n/g, '\r\n');
    put = put.replaceAll(/\r?\n/g, '\r\n');
  }
  const count = text.split(find).length - 1;
  if (count === 0) return { ok: false, error: 'The text to replace is not in the file.' };
  if (count > 1 && args.replace_all !== true) {
    return { ok: false, error: `The text to replace is in the file ${count} times.` };
  }
  return { ok: true, text: text.split(find).join(put) };
}

async function previewDelete(path: string, options: PreviewOptions): Promise<Preview> {
  const inside = await options.backend.ls(path, { signal: options.signal, limit: 1_000 });
  const isDirectory =
    inside.error === undefined && !(inside.files ?? []).some((file) => samePath(file.path, path));
  if (!isDirectory) return { kind: 'delete', path, isDirectory: false };
  const files = await countFiles(inside.files ?? [], options);
  return files === undefined
    ? { kind: 'delete', path, isDirectory: true }
    : { kind: 'delete', path, isDirectory: true, files };
}

/** Files in these entries and below them, hidden ones too; undefined where there are more than can be counted soon. */
async function countFiles(
  entries: FileInfo[],
  { backend, signal }: PreviewOptions,
): Promise<number | undefined> {
  const open = [...entries];
  let files = 0;
  let listings = 0;
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (!entry.is_dir) {
      files++;
      if (files > MAX_COUNTED) return undefined;
      continue;
    }
    if (++listings > MAX_LISTINGS) return undefined;
    const below = await backend.ls(entry.path, { signal, limit: MAX_COUNTED });
    if (below.error !== undefined || below.nextOffset !== undefined) return undefined;
    open.push(...(below.files ?? []));
  }
  return files;
}

const samePath = (a: string, b: string) => a.replace(/\/+$/, '') === b.replace(/\/+$/, '');

const problem = (message: string, args: Record<string, unknown>): Preview => ({
  kind: 'problem',
  message,
  json: json(args),
});

function diffPreview(path: string, oldText: string, newText: string, isNew: boolean): Preview {
  const patch = structuredPatch(path, path, oldText, newText, undefined, undefined, {
    context: CONTEXT,
    timeout: DIFF_DEADLINE,
  });
  const all: DiffHunk[] = patch?.hunks ?? [wholeChange(oldText, newText)];
  const count = (mark: string) =>
    all.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(mark)).length, 0);
  const hunks: DiffHunk[] = [];
  let room = MAX_LINES;
  for (const { oldStart, oldLines, newStart, newLines, lines } of all) {
    if (room <= 0) break;
    hunks.push({ oldStart, oldLines, newStart, newLines, lines: lines.slice(0, room) });
    room -= lines.length;
  }
  return { kind: 'diff', path, isNew, hunks, added: count('+'), removed: count('-'), cut: room < 0 };
}

/** Everything out, everything in: what is shown where the difference is too long to work out in time. */
function wholeChange(oldText: string, newText: string): DiffHunk {
  const removed = oldText === '' ? [] : oldText.split('\n');
  const added = newText === '' ? [] : newText.split('\n');
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  };
}
