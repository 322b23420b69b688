import { z } from 'zod';
import { FileEntry, FilePage } from '../app';
import { ChangeAuthor } from '../changes';
import { command, done, FilePath } from '../command';
import { ProjectId, ThreadId } from '../ids';
import { MAX_DIRECTORIES, MAX_PART } from '../limits';
import { AppError } from '../result';

const inFolder = { projectId: ProjectId, path: FilePath };

const anywhere = { projectId: ProjectId, threadId: ThreadId.nullable(), path: FilePath };

/** Maximum bytes of a file that is edited, or shown as a table or notebook. */
export const MAX_WHOLE_TEXT = 10 * 1024 * 1024;

/** Maximum bytes of an office document whose text is shown or compared. */
export const MAX_DOCUMENT = 50 * 1024 * 1024;

export const FileMark = z.enum(['changed', 'untracked', 'conflict']);
export type FileMark = z.infer<typeof FileMark>;

/**
 * The person's file operations. They write only inside the project folder, follow no links and overwrite nothing without
 * asking.
 */
export const filesCommands = {
  'files.list': command(
    z.strictObject({
      projectId: ProjectId,
      threadId: ThreadId.nullable(),
      path: FilePath,
      offset: z.number().int().nonnegative().optional(),
    }),
    z.object({ entries: z.array(FileEntry), total: z.number(), nextOffset: z.number().nullable() }),
  ),
  'files.read': command(
    z.strictObject({
      projectId: ProjectId,
      threadId: ThreadId.nullable(),
      path: FilePath,
      offset: z.number().int().nonnegative(),
      limit: z.number().int().positive().max(5_000),
    }),
    FilePage,
  ),
  /** Shows a file of the project in the system's file manager. */
  'files.reveal': command(z.strictObject({ projectId: ProjectId, path: FilePath }), done),
  'files.create': command(z.strictObject({ ...inFolder, kind: z.enum(['file', 'directory']) }), done),
  /** Renames or moves. `conflict` if the name is taken. */
  'files.move': command(z.strictObject({ projectId: ProjectId, from: FilePath, to: FilePath }), done),
  /** Copies to the same folder or to `into`, under a free name. Links are copied as links. */
  'files.copy': command(
    z.strictObject({ ...inFolder, into: FilePath.optional() }),
    z.object({ path: z.string() }),
  ),
  /**
   * Moves to the system's trash. `undo`: for `files.untrash`; null if the system cannot undo it. `failed`: what is still there,
   * and why. If it is everything, the command fails.
   */
  'files.trash': command(
    z.strictObject({ projectId: ProjectId, paths: z.array(FilePath).min(1).max(1_000) }),
    z.object({
      undo: z.string().nullable(),
      failed: z.array(z.object({ path: FilePath, error: AppError })),
    }),
  ),
  'files.untrash': command(z.strictObject({ projectId: ProjectId, undo: z.string().max(200) }), done),
  /**
   * Stores a dropped file part by part: the renderer has its bytes but never its path. `upload` identifies it. The file
   * appears, under a free name, with the `last` part. `cancel`: removes the parts so far.
   */
  'files.put': command(
    z.strictObject({
      ...inFolder,
      upload: z.uuid(),
      offset: z.number().int().nonnegative(),
      /** Base64. */
      data: z.string().max(MAX_PART * 1.5),
      last: z.boolean(),
      cancel: z.literal(true).optional(),
    }),
    z.object({ path: z.string().nullable() }),
  ),
  /** Starts a system drag with these files, for another program. */
  'files.dragOut': command(
    z.strictObject({ projectId: ProjectId, paths: z.array(FilePath).min(1).max(200) }),
    done,
  ),
  /**
   * Opens it with the system's default program if that only displays it and runs nothing. Otherwise shows it in the file
   * manager (`opened` false).
   */
  'files.openOutside': command(z.strictObject(inFolder), z.object({ opened: z.boolean() })),
  /** Git's status of files, without running git. `repository` false: there is none. */
  'files.marks': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({
      repository: z.boolean(),
      marks: z.array(z.object({ path: z.string(), mark: FileMark })),
      /** More exist. */
      cut: z.boolean(),
    }),
  ),
  /** The entries of some project directories that ignore files exclude. Directories inside those are not queried. */
  'files.ignored': command(
    z.strictObject({ projectId: ProjectId, directories: z.array(FilePath).max(MAX_DIRECTORIES) }),
    z.object({ paths: z.array(z.string()) }),
  ),
  /** Finds files by parts of their names, best match first. The first call lists the folder. */
  'files.find': command(
    z.strictObject({
      projectId: ProjectId,
      query: z.string().max(400),
      limit: z.number().int().positive().max(500),
    }),
    z.object({
      matches: z.array(
        z.object({
          path: z.string(),
          /** Relative to the folder. */
          name: z.string(),
          /** Matched ranges of `name`: pairs of start and end. */
          ranges: z.array(z.number()),
        }),
      ),
      /** Number of matching files, including those not in `matches`. */
      total: z.number(),
      /** Number of known files in the folder. */
      files: z.number(),
      /** The listing is still in progress. */
      listing: z.boolean(),
    }),
  ),
  /** A whole text, with `\n` as line ends. Errors: `binary`, `too_large`. */
  'files.text': command(
    z.strictObject(anywhere),
    z.object({ text: z.string(), version: z.string(), size: z.number() }),
  ),
  /** The text of an office document. Errors: `too_large`, `invalid` if it cannot be read. */
  'files.document': command(
    z.strictObject(anywhere),
    z.object({
      unit: z.enum(['slide', 'row', 'paragraph']),
      /** The sheets, the slides, or one for a text. Lines of a sheet have tabs between their cells. */
      sections: z.array(z.object({ name: z.string(), lines: z.array(z.string()) })),
      /** The document has more text. */
      cut: z.boolean(),
    }),
  ),
  /**
   * Replaces a file atomically, keeping encoding, byte order mark and line ends. `stale` if it no longer has `version`; null
   * overwrites any version.
   */
  'files.save': command(
    z.strictObject({ ...inFolder, text: z.string().max(MAX_WHOLE_TEXT), version: z.string().nullable() }),
    z.object({ version: z.string() }),
  ),
  'files.bytes': command(
    z.strictObject({
      ...anywhere,
      offset: z.number().int().nonnegative(),
      length: z.number().int().positive().max(MAX_PART),
    }),
    z.object({
      /** Base64. */
      data: z.string(),
      /** Bytes of the whole file. */
      size: z.number(),
    }),
  ),
  /**
   * A URL from which the renderer can show the file as an image, audio or video, until Deepdesk exits. Errors besides those
   * of reading: `unsupported`, `too_large`; `timeout` and `invalid` for an SVG file that cannot be drawn.
   */
  'files.address': command(
    z.strictObject(anywhere),
    z.object({
      url: z.string(),
      mimeType: z.string(),
      size: z.number(),
      /** Pixels of the image per CSS pixel, if not one: for an SVG file, drawn outside the window. */
      scale: z.number().positive().optional(),
    }),
  ),
  /** Lines (0-based) that contain `query`, ignoring case. */
  'files.search': command(
    z.strictObject({ ...anywhere, query: z.string().min(1).max(1_000) }),
    z.object({ lines: z.array(z.number()), cut: z.boolean() }),
  ),
  /** Who changed which lines, according to Deepdesk's records. `null`: before the first record. */
  'files.blame': command(
    z.strictObject(inFolder),
    z.object({
      steps: z.array(z.object({ at: z.number(), author: ChangeAuthor })),
      /** Consecutive lines from the top: their number, and the index of the step. */
      runs: z.array(z.object({ count: z.number(), step: z.number().nullable() })),
    }),
  ),
} as const;
