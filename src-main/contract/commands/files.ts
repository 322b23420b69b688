import { z } from 'zod';
import { FileEntry, FilePage } from '../app';
import { ChangeAuthor } from '../changes';
import { command, done, FilePath } from '../command';
import { ProjectId, ThreadId } from '../ids';
import { MAX_DIRECTORIES, MAX_PART } from '../limits';

const inFolder = { projectId: ProjectId, path: FilePath };

const anywhere = { projectId: ProjectId, threadId: ThreadId.nullable(), path: FilePath };

/** Bytes of a file that is edited, or shown as a table or a notebook. */
export const MAX_WHOLE_TEXT = 10 * 1024 * 1024;

export const FileMark = z.enum(['changed', 'untracked', 'conflict']);
export type FileMark = z.infer<typeof FileMark>;

/** What the person does with files. Writing is in the project folder only, passes no link and overwrites nothing unsaid. */
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
  /** Renames or moves. `conflict` where something has that name. */
  'files.move': command(z.strictObject({ projectId: ProjectId, from: FilePath, to: FilePath }), done),
  /** A copy beside it, or in `into`, under a name that is free. Links are copied as links. */
  'files.copy': command(
    z.strictObject({ ...inFolder, into: FilePath.optional() }),
    z.object({ path: z.string() }),
  ),
  /** To the system's trash. `undo`: for `files.untrash`; null where the system has no way back of its own. */
  'files.trash': command(
    z.strictObject({ projectId: ProjectId, paths: z.array(FilePath).min(1).max(1_000) }),
    z.object({ undo: z.string().nullable() }),
  ),
  'files.untrash': command(z.strictObject({ projectId: ProjectId, undo: z.string().max(200) }), done),
  /**
   * A file that was dropped on the window, part by part: the page has its bytes and never its path. `upload` names it.
   * The file is there, under a free name, once the `last` part has come.
   */
  'files.put': command(
    z.strictObject({
      ...inFolder,
      upload: z.uuid(),
      offset: z.number().int().nonnegative(),
      /** Base64. */
      data: z.string().max(MAX_PART * 1.5),
      last: z.boolean(),
    }),
    z.object({ path: z.string().nullable() }),
  ),
  /** Begins a drag of the system with these files, for another program to take. */
  'files.dragOut': command(
    z.strictObject({ projectId: ProjectId, paths: z.array(FilePath).min(1).max(200) }),
    done,
  ),
  /**
   * Opens it with the program that the system has for it, where that shows it and runs nothing. Any other file is shown in
   * the file manager instead (`opened` false).
   */
  'files.openOutside': command(z.strictObject(inFolder), z.object({ opened: z.boolean() })),
  /** What git knows of files, without letting git run anything. `repository` false: there is none. */
  'files.marks': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({
      repository: z.boolean(),
      marks: z.array(z.object({ path: z.string(), mark: FileMark })),
      /** There are more. */
      cut: z.boolean(),
    }),
  ),
  /** What of some directories of the project ignore files leave out. Directories inside of those are not asked for. */
  'files.ignored': command(
    z.strictObject({ projectId: ProjectId, directories: z.array(FilePath).max(MAX_DIRECTORIES) }),
    z.object({ paths: z.array(z.string()) }),
  ),
  /** Files by parts of their names, the best first. Lists the folder at the first time. */
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
          /** Where `name` matches: begin and end, one pair after another. */
          ranges: z.array(z.number()),
        }),
      ),
      /** Files that match, those that are not among `matches` too. */
      total: z.number(),
      /** Files of the folder that are known of. */
      files: z.number(),
      /** They are still being listed. */
      listing: z.boolean(),
    }),
  ),
  /** The whole of a text, with `\n` as line ends. Errors: `binary`, `too_large`. */
  'files.text': command(
    z.strictObject(anywhere),
    z.object({ text: z.string(), version: z.string(), size: z.number() }),
  ),
  /**
   * Replaces a file in one step; encoding, byte order mark and line ends stay. `stale` where it is no longer `version`;
   * null replaces whatever is there.
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
   * An address under which the page can show the file as a picture, sound or video, until Deepdesk is closed. Errors besides those of
   * reading: `unsupported`, `too_large`; `timeout` and `invalid` for an SVG file that cannot be drawn.
   */
  'files.address': command(
    z.strictObject(anywhere),
    z.object({
      url: z.string(),
      mimeType: z.string(),
      size: z.number(),
      /** Pixels of the picture for one CSS pixel, where it is not one: of an SVG file, drawn outside of the window. */
      scale: z.number().positive().optional(),
    }),
  ),
  /** Lines (0-based) that hold `query`, whatever its case. */
  'files.search': command(
    z.strictObject({ ...anywhere, query: z.string().min(1).max(1_000) }),
    z.object({ lines: z.array(z.number()), cut: z.boolean() }),
  ),
  /** Who changed which lines, by what Deepdesk recorded. `null`: before anything was. */
  'files.blame': command(
    z.strictObject(inFolder),
    z.object({
      steps: z.array(z.object({ at: z.number(), author: ChangeAuthor })),
      /** Runs of lines from the top: how many, and the index of the step. */
      runs: z.array(z.object({ count: z.number(), step: z.number().nullable() })),
    }),
  ),
} as const;
