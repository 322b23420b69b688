import { access, constants } from 'node:fs/promises';
import { posix } from 'node:path';
import { isBelow } from '../base/is-below';
import type { Preview } from '../contract/approvals';
import { boundedDiff } from '../contract/bounded-diff';
import type { CommandPart, Touched } from '../contract/control';
import { reasonOf } from '../contract/errors';
import { fileFailure } from '../contract/file-failure';
import { MAX_UNDO_FILE } from '../contract/limits';
import { optional } from '../contract/shared/optional';
import { Questions } from '../contract/shared/questions';
import { because, type Reason } from '../contract/shared/reasons';
import type { BackendProtocol, FileInfo } from '../harness';
import { displayOf } from '../harness/tools/catalogue';
import { touchedBy, touchedByDelete } from './bash/changes/on-disk';
import type { ShellPlaces } from './bash/paths/places';
import { scriptBehind } from './bash/scripts/scripts-behind';
import type { ShellPart } from './bash/verdict/shell-part';
import type { GateCall } from './call';
import { RISKS } from './risk';

/** Maximum lines shown of a change; the card says if it is cut. */
const MAX_LINES = 2_000;

/** Maximum UTF-16 units shown of a file to be deleted. */
const MAX_DELETED_TEXT = 20_000;
/** Maximum files counted below a folder to be deleted; the card says if there are more. */
const MAX_COUNTED = 10_000;
/** Maximum folders listed while counting. */
const MAX_LISTINGS = 500;

interface PreviewOptions {
  backend: BackendProtocol;
  cwd: string;
  timeoutSeconds: number;
  /** The meaning of a timeout of 0. */
  maxTimeoutSeconds: number;
  signal: AbortSignal;
  /** The reference points for the command's words; null if Deepdesk cannot read them. */
  shell: ShellPlaces | null;
  /** The judged commands of an `execute` call. */
  parts: readonly ShellPart[];
  /** The rule that would allow a part. */
  ruleFor: (part: ShellPart) => string | undefined;
}

/** What the call will change, computed from the real bytes; or why it would fail in its current form. */
export async function previewOf(call: GateCall, options: PreviewOptions): Promise<Previewed> {
  const { args } = call;
  const path = typeof args.file_path === 'string' ? args.file_path : '';
  switch (displayOf(call.tool)) {
    case 'command':
      return { preview: await previewCommand(args, options) };
    case 'write':
      return unlessReadOnly(
        path,
        options,
        await previewWrite(path, String(args.content ?? ''), args, options),
      );
    case 'edit':
      return unlessReadOnly(path, options, await previewEdit(path, args, options));
    case 'delete':
      return unlessReadOnly(path, options, await previewDelete(path, options));
    case 'ask': {
      const { data: questions } = Questions.safeParse(args.questions);
      return questions === undefined
        ? { preview: { kind: 'arguments', json: json(args) } }
        : { preview: { kind: 'questions', questions } };
    }
    default:
      return { preview: { kind: 'arguments', json: json(args) } };
  }
}

type Previewed = { preview: Preview; fileVersion?: string | null } | { problem: Reason };

/** The preview, or that the system refuses the change: each change makes, replaces or removes an entry of the file's folder. */
async function unlessReadOnly(
  path: string,
  { shell }: PreviewOptions,
  previewed: Previewed,
): Promise<Previewed> {
  if ('problem' in previewed || shell === null) return previewed;
  // Of folders that the change would create, the nearest one that is there counts.
  for (let at = posix.dirname(path); isBelow(at, shell.folder); at = posix.dirname(at)) {
    const code = await access(at, constants.W_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      return { problem: because('folder_not_writable', { path: at }) };
    if (code !== 'ENOENT') return previewed;
  }
  return previewed;
}

async function previewCommand(args: Record<string, unknown>, options: PreviewOptions): Promise<Preview> {
  const { shell, signal } = options;
  const command = typeof args.command === 'string' ? args.command : JSON.stringify(args);
  const preview = {
    kind: 'command' as const,
    command,
    cwd: options.cwd,
    timeoutSeconds: timeoutOf(args, options),
  };
  if (shell === null) return preview;
  const { touches, cut } = await touchedBy(command, shell, signal);
  return {
    ...preview,
    parts: await shownParts(options, shell),
    touches,
    ...(cut ? { touchesCut: true } : {}),
  };
}

/** The commands of a line with their effects, the most dangerous first. */
async function shownParts(
  { parts: all, ruleFor }: PreviewOptions,
  shell: ShellPlaces,
): Promise<CommandPart[]> {
  const parts = all.toSorted((a, b) => dangerOf(b) - dangerOf(a));
  const scripts = await Promise.all(parts.map((part) => scriptBehind(part, shell)));
  return parts.map((part, index) => {
    const { text, verdict, reason, risk, program } = part;
    const script = scripts[index]?.text;
    const rule = ruleFor(part);
    return {
      text,
      verdict,
      reason,
      risk,
      ...optional({ program, script, rule }),
    };
  });
}

const VERDICTS: readonly ShellPart['verdict'][] = ['allow', 'ask', 'deny'];

const dangerOf = ({ verdict, risk }: ShellPart): number =>
  VERDICTS.indexOf(verdict) * RISKS.length + RISKS.indexOf(risk);

function timeoutOf(
  { timeout, background }: Record<string, unknown>,
  { timeoutSeconds, maxTimeoutSeconds }: PreviewOptions,
): number | null {
  if (typeof timeout === 'number' && timeout !== 0) return timeout;
  if (background === true) return null;
  return timeout === 0 ? maxTimeoutSeconds : timeoutSeconds;
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
      error: raw.error === undefined ? because('not_readable') : reasonOf(fileFailure(path, raw).error),
    };
  }
  const { content } = raw.data;
  if (typeof content !== 'string' && !Array.isArray(content)) {
    return {
      ok: false as const,
      missing: false,
      error: because('binary_file', { path }),
      version: head.version,
    };
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
  const fileVersion = !old.ok && old.missing ? null : old.version;
  if (!old.ok && !old.missing)
    return { preview: { kind: 'arguments' as const, json: json(args) }, ...optional({ fileVersion }) };
  const preview = diffPreview(path, old.ok ? old.text : '', content, !old.ok);
  return { preview, ...optional({ fileVersion }) };
}

async function previewEdit(path: string, args: Record<string, unknown>, options: PreviewOptions) {
  const old = await readText(path, options);
  if (!old.ok) return { problem: old.error };
  const changed = replaceText(old.text, args);
  if (!changed.ok) return { problem: changed.error };
  const preview = diffPreview(path, old.text, changed.text, false);
  return old.version === undefined ? { preview } : { preview, fileVersion: old.version };
}

function replaceText(
  text: string,
  args: Record<string, unknown>,
): { ok: true; text: string } | { ok: false; error: Reason } {
  const replacement = String(args.new_string ?? '');
  let find = String(args.old_string ?? '');
  let put = replacement;
  if (find === '')
    return text === ''
      ? { ok: true, text: replacement }
      : { ok: false, error: because('no_text_to_replace') };
  // The model writes \n. A file with CRLF is matched and stays as it is.
  if (!text.includes(find) && text.includes('\r\n')) {
    find = find.replaceAll(/\r?\n/g, '\r\n');
    put = put.replaceAll(/\r?\n/g, '\r\n');
  }
  const count = text.split(find).length - 1;
  if (count === 0) return { ok: false, error: because('text_not_found') };
  if (count > 1 && args.replace_all !== true) {
    return { ok: false, error: because('text_found_often', { count }) };
  }
  return { ok: true, text: text.split(find).join(put) };
}

async function previewDelete(path: string, options: PreviewOptions) {
  const { backend, shell, signal } = options;
  const inside = await backend.ls(path, { signal, limit: 1_000 });
  const isDirectory =
    inside.error === undefined && !(inside.files ?? []).some((file) => samePath(file.path, path));
  const touched =
    shell !== null && isBelow(path, shell.folder) ? await touchedByDelete(path, shell) : undefined;
  const onDisk = optional({ touched, undo: touched && canUndo(touched) });
  if (isDirectory) {
    const files = await countFiles(inside.files ?? [], options);
    return { preview: { kind: 'delete' as const, path, isDirectory, ...optional({ files }), ...onDisk } };
  }
  const preview = { kind: 'delete' as const, path, isDirectory, ...onDisk };
  const old = await readText(path, options);
  if (!old.ok) return old.missing && touched?.kind === 'nothing' ? { problem: old.error } : { preview };
  const text = old.text.slice(0, MAX_DELETED_TEXT);
  const shown = { ...preview, text, ...(text.length < old.text.length ? { cut: true } : {}) };
  return old.version === undefined ? { preview: shown } : { preview: shown, fileVersion: old.version };
}

/** Undo keeps links, and files that are not too large, completely. How much of a folder it keeps is not known beforehand. */
const canUndo = ({ kind, outside, bytes = 0 }: Touched): boolean | undefined =>
  kind === 'link' || kind === 'file' ? !outside && bytes <= MAX_UNDO_FILE : undefined;

/** Files in these entries and below, including hidden ones; undefined if there are too many to count quickly. */
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

const samePath = (a: string, b: string) => withoutSlashes(a) === withoutSlashes(b);
const withoutSlashes = (path: string) => path.replace(/(?<!\/)\/+$/, '');

const diffPreview = (path: string, oldText: string, newText: string, isNew: boolean): Preview => ({
  kind: 'diff',
  path,
  isNew,
  ...boundedDiff(oldText, newText, MAX_LINES),
});
