import { setTimeout as delay } from 'node:timers/promises';
import { anyObject, checkOptions, func } from '../../base/check-options';
import {
  existsFailure,
  type Failure,
  failure,
  isFailure,
  orUnknown,
  staleFailure,
} from '../backends/failure';
import { withLock } from '../backends/locks';
import { checkFile } from '../backends/paths';
import type {
  BackendProtocol,
  CallOptions,
  DeleteResult,
  EditResult,
  ReadOptions,
  ReadRawResult,
  ReadResult,
  WriteOptions,
  WriteResult,
} from '../backends/protocol';
import { encodeLike } from '../backends/text/byte-edit';
import { readData } from '../backends/text/content';
import { decodeText, replaceText, versionOf } from '../backends/text/text';
import type { EditorFiles } from './host';

/** The calls that the editor's unsaved text changes. */
export type FileCalls = Pick<BackendProtocol, 'read' | 'readRaw' | 'write' | 'edit' | 'delete'>;
/** The same and more of the backend below. */
export type EditorDisk = FileCalls & Pick<BackendProtocol, 'downloadFiles' | 'realPath'>;

/** Options of `withEditorFiles`. */
export interface EditorBackendOptions {
  /** The editor's files, with unsaved text. */
  files: EditorFiles;
  /** The path on this machine of a path of the backend. */
  hostPath(path: string): string;
}

/** Milliseconds after a change on the disk in which an editor may not have noticed it yet. */
const NOTICED_WITHIN = 2_000;
const BETWEEN_LOOKS = 200;

const NOTE = 'The person has not saved this file: this is its text in the editor.';

/**
 * A backend on files that are open in an editor. Text that is not saved there wins over the disk, and changes of texts go
 * through the editor, so that the person can undo them there. New files, files that are not UTF-8, links and folders stay
 * with the backend, as do `grep` and `glob`, which see the disk.
 */
export function withEditorFiles<B extends BackendProtocol>(backend: B, options: EditorBackendOptions): B {
  checkOptions('withEditorFiles', options, { files: anyObject, hostPath: func }, ['files', 'hostPath']);
  const calls = editorCalls(backend, options);
  return new Proxy(backend, {
    get(target, name) {
      const value = Object.hasOwn(calls, name)
        ? calls[name as keyof FileCalls]
        : Reflect.get(target, name, target);
      return typeof value === 'function' && !Object.hasOwn(calls, name) ? value.bind(target) : value;
    },
  });
}

/** The same calls as `disk` has, with the editor's text in place of the disk's. */
export function editorCalls(disk: EditorDisk, { files, hostPath }: EditorBackendOptions): FileCalls {
  const texts = new EditorTexts(disk, files, hostPath);
  return {
    read: (path, offset, limit, options) => texts.read(path, offset, limit, options),
    readRaw: (path, options) => texts.readRaw(path, options),
    write: (path, content, options) => texts.write(path, content, options),
    edit: (path, oldString, newString, all, options) => texts.edit(path, oldString, newString, all, options),
    ...(disk.delete === undefined
      ? {}
      : { delete: (path: string, options?: WriteOptions) => texts.delete(path, options) }),
  };
}

/** A file that the editor has. `isSaved`: the disk has the same text. */
interface Open {
  path: string;
  text: string;
  isSaved: boolean;
}

class EditorTexts implements FileCalls {
  constructor(
    private readonly disk: EditorDisk,
    private readonly files: EditorFiles,
    private readonly hostPath: (path: string) => string,
  ) {}

  async read(path: string, offset = 0, limit = 500, options: ReadOptions = {}): Promise<ReadResult> {
    const open = await this.open(path, options);
    if (open === null || open.isSaved) return this.disk.read(path, offset, limit, options);
    const page = readData({ content: open.text, mimeType: 'text/plain', ...NO_TIMES }, offset, limit);
    return isFailure(page) ? page : { ...page, note: NOTE };
  }

  async readRaw(path: string, options: CallOptions = {}): Promise<ReadRawResult> {
    const open = await this.open(path, options);
    if (open === null || open.isSaved) return this.disk.readRaw(path, options);
    const modified_at = new Date().toISOString();
    return {
      data: { content: open.text, mimeType: 'text/plain', created_at: modified_at, modified_at },
      note: NOTE,
    };
  }

  async write(path: string, content: string, options: WriteOptions = {}): Promise<WriteResult> {
    return this.inTurn(path, async () => {
      const open = await this.open(path, options);
      if (open === null) return this.disk.write(path, content, options);
      if (options.createOnly) return existsFailure(open.path);
      const saved = await this.put(open, content, options);
      if (saved === 'disk') return this.disk.write(path, content, options);
      return isFailure(saved) ? saved : { path: open.path, filesUpdate: null, ...saved };
    });
  }

  async edit(
    path: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options: WriteOptions = {},
  ): Promise<EditResult> {
    return this.inTurn(path, async () => {
      const onDisk = () => this.disk.edit(path, oldString, newString, replaceAll, options);
      const open = await this.open(path, options);
      if (open === null) return onDisk();
      const edited = replaceText(open.text, oldString, newString, replaceAll);
      if (isFailure(edited)) return edited;
      const { text, occurrences } = edited;
      const saved = await this.put(open, text, options);
      if (saved === 'disk') return onDisk();
      return isFailure(saved) ? saved : { path: open.path, filesUpdate: null, occurrences, ...saved };
    });
  }

  /** Deletes the file on the disk, if the editor's text of it is the expected version. */
  async delete(path: string, options: WriteOptions = {}): Promise<DeleteResult> {
    return this.inTurn(path, async () => {
      const { expectedVersion, ...rest } = options;
      const open = expectedVersion === undefined ? null : await this.open(path, options);
      if (open === null || open.isSaved) return this.onDiskDelete(path, options);
      return versionOf(open.text) === expectedVersion ? this.onDiskDelete(path, rest) : staleFailure(path);
    });
  }

  private async onDiskDelete(path: string, options: WriteOptions): Promise<DeleteResult> {
    return (
      (await this.disk.delete?.(path, options)) ??
      failure('unsupported', `Error: nothing can be deleted at '${path}'.`)
    );
  }

  private inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
    return withLock(`editor\0${this.hostPath(path)}`, work);
  }

  /** Null: the editor does not have the file, or it is the backend's own business. */
  private async open(path: string, { signal }: CallOptions): Promise<Open | null> {
    const at = checkFile(path);
    if (isFailure(at)) return null;
    for (;;) {
      signal?.throwIfAborted();
      // An editor would follow a link to anywhere.
      const real = await orUnknown(this.disk.realPath?.(at.path) ?? Promise.resolve(at.path));
      if (real !== at.path) return null;
      const saved = await this.onDisk(at.path, signal);
      if (saved === null) return null;
      const text = await this.files.readText(this.hostPath(at.path), signal);
      if (text === null || (saved.text === null && text === '')) return null;
      if (saved.text !== null && isSame(text, saved.text))
        return { path: at.path, text: saved.text, isSaved: true };
      if (Date.now() - saved.changedAt > NOTICED_WITHIN) return { path: at.path, text, isSaved: false };
      await delay(BETWEEN_LOOKS, undefined, signal === undefined ? {} : { signal });
    }
  }

  /** `text`: null if the file is missing. Null: it is not UTF-8, too large, or no file. */
  private async onDisk(
    path: string,
    signal: AbortSignal | undefined,
  ): Promise<{ text: string | null; changedAt: number } | null> {
    const options = signal === undefined ? {} : { signal };
    const raw = await this.disk.readRaw(path, options);
    if (raw.kind === 'not_found') return { text: null, changedAt: 0 };
    const [got] = (await this.disk.downloadFiles?.([path], options)) ?? [];
    const text = got?.content ? decodeText(got.content) : null;
    return text === null ? null : { text, changedAt: Date.parse(raw.data?.modified_at ?? '') || 0 };
  }

  /** Hands the editor a whole new text. `disk`: the backend may do it instead. */
  private async put(
    { path, text, isSaved }: Open,
    content: string,
    { signal, expectedVersion }: WriteOptions,
  ): Promise<{ version: string } | Failure | 'disk'> {
    if (expectedVersion !== undefined) {
      const now = isSaved ? (await this.disk.read(path, 0, 1)).version : versionOf(text);
      if (now !== expectedVersion) return staleFailure(path);
    }
    const { files } = this;
    if (files.writeText === undefined) return isSaved ? 'disk' : unsaved(path, 'It takes no changes.');
    const bytes = encodeLike(content, Buffer.from(text), 'utf-8');
    if (isFailure(bytes)) return bytes;
    try {
      await files.writeText(this.hostPath(path), bytes.toString('utf8'), signal);
    } catch (error) {
      signal?.throwIfAborted();
      return isSaved ? 'disk' : unsaved(path, error instanceof Error ? error.message : String(error));
    }
    const now = await this.onDisk(path, signal);
    const isOnDisk = now?.text !== null && now?.text === bytes.toString('utf8');
    return { version: (isOnDisk && (await this.disk.read(path, 0, 1)).version) || versionOf(bytes) };
  }
}

const NO_TIMES = { created_at: '', modified_at: '' };

/** Editors keep neither byte order marks nor mixed line endings in their buffers. */
const isSame = (one: string, other: string) => plain(one) === plain(other);
const plain = (text: string) => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

const unsaved = (path: string, why: string) =>
  failure(
    'conflict',
    `Error: '${path}' has unsaved changes in the person's editor, which did not accept this change. ${why} Ask the person to save the file.`,
  );
