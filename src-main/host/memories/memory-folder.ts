import { isUtf8 } from 'node:buffer';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { parseYaml } from '../../base/limited-json';
import { listRegular, openRegular, readOpened } from '../../base/open-regular';
import { isRefused, type Refused } from '../../base/regular-file';
import type { ImportedMemory } from '../../contract/commands/memories';
import { optional } from '../../contract/shared/optional';
import { because, type Reason } from '../../contract/shared/reasons';
import { frontMatterProblem } from '../../contract/shared/yaml-problem';
import { checkPath } from '../../harness/backends';
import { Author } from '../../harness/storage/sqlite/store/store';
import { MEMORIES } from '../project/mounts';

export interface MemoryFile {
  /** Path below /memories, with a leading slash. */
  key: string;
  text: string;
  /** ISO 8601. */
  created: string;
  modified: string;
  author: z.infer<typeof Author> | null;
}

export type ReadMemory = { path: string } & (
  | { memory: MemoryFile; reason?: never }
  | { reason: Reason; memory?: never }
);

/** Maximum number of files that are read. */
const MAX_FILES = 20_000;
/** UTF-16 units of a text, as when the person writes it. */
const MAX_LENGTH = 2_000_000;
/** Bytes of front matter that are read. */
const MAX_FRONTMATTER = 16 * 1024;
/** One unit takes up to three bytes. */
const MAX_BYTES = 3 * MAX_LENGTH + MAX_FRONTMATTER;
const MARK = '---';

const Head = z.object({
  /** The memory's path, if no file can have it. Files of others may have anything here. */
  path: z.unknown().optional(),
  created: z.iso.datetime({ offset: true }).optional(),
  modified: z.iso.datetime({ offset: true }).optional(),
  written_by: Author.optional(),
});

/** Writes memories into a new folder, `deepdesk-memories` or the same with a number. Returns its path. */
export async function writeMemories(parent: string, memories: readonly MemoryFile[]): Promise<string> {
  const folder = await newFolder(parent);
  let number = 1;
  for (const memory of memories) {
    const parts = memory.key.split('/').filter((part) => part !== '');
    // An import skips hidden files, which programs leave in folders.
    const isHidden = parts.at(-1)?.startsWith('.') === true;
    if (isHidden || !(await isWritten(join(folder, ...parts), textOfFile(memory))))
      number = await writeElsewhere(folder, memory, number);
  }
  return folder;
}

function textOfFile({ text, created, modified, author }: MemoryFile, path?: string): string {
  const head = {
    ...optional({ path }),
    created,
    modified,
    ...(author === null ? {} : { written_by: author }),
  };
  return `${MARK}\n${stringify(head)}${MARK}\n${text}`;
}

/** False if there is no place for such a file: a memory `a` beside `a/b`, or a name that this file system refuses. */
async function isWritten(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (UNSUITABLE.has(String(error.code))) return false;
    throw error;
  }
}
const UNSUITABLE: ReadonlySet<string> = new Set([
  'EEXIST',
  'EILSEQ',
  'EINVAL',
  'EISDIR',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
]);

/** Writes a memory under the first free number from there on, with its path in front. Returns the next number. */
async function writeElsewhere(folder: string, memory: MemoryFile, from: number): Promise<number> {
  const text = textOfFile(memory, `${MEMORIES}${memory.key}`);
  for (let number = from; number < from + MAX_FILES; number += 1)
    if (await isWritten(join(folder, `memory-${number}.md`), text)) return number + 1;
  throw new Error(`${memory.key} cannot be written.`);
}

async function newFolder(parent: string): Promise<string> {
  for (let at = 1; ; at += 1) {
    const folder = join(parent, at === 1 ? 'deepdesk-memories' : `deepdesk-memories-${at}`);
    try {
      await mkdir(folder);
      return folder;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** Reads the Markdown files of a folder without following links. Files that cannot be memories come with a reason. */
export async function readMemories(folder: string): Promise<ReadMemory[]> {
  const found: ReadMemory[] = [];
  for (const inside of (await filesBelow(folder)).sort()) {
    const path = `${MEMORIES}/${inside}`;
    found.push({ path, ...(await readMemory(folder, inside, path)) });
  }
  const pathOf = ({ path, memory }: ReadMemory) => (memory ? `${MEMORIES}${memory.key}` : path);
  const taken = new Set(found.filter((one) => one.memory && pathOf(one) === one.path).map(pathOf));
  return found
    .map((one): ReadMemory => {
      const path = pathOf(one);
      if (one.memory === undefined || path === one.path) return one;
      // Another file has that path or names it, too.
      if (taken.has(path)) return { path: one.path, reason: because('name_refused') };
      taken.add(path);
      return { path, memory: one.memory };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Regular files, relative with `/`, up to the maximum. Throws if the folder itself cannot be listed. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  let left = MAX_FILES;
  for (let at = folders.pop(); at !== undefined && left > 0; at = folders.pop()) {
    const listed = await listRegular(join(folder, at), { root: folder, links: 'none', maxEntries: left });
    if (isRefused(listed)) {
      if (at === '') throw new Error(`The folder cannot be listed (${listed.code || listed.refused}).`);
      continue;
    }
    left -= listed.entries.length;
    for (const entry of listed.entries) {
      const inside = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) folders.push(inside);
      else if (entry.isFile() && !entry.name.startsWith('.')) files.push(inside);
    }
  }
  return files;
}

async function readMemory(
  folder: string,
  inside: string,
  path: string,
): Promise<{ memory: MemoryFile } | { reason: Reason }> {
  const checked = checkPath(path, [MEMORIES]);
  if ('error' in checked) return { reason: because('name_refused') };
  const file = await openRegular(join(folder, inside), { root: folder, links: 'none' });
  if (isRefused(file)) return { reason: because('cannot_be_read') };
  let bytes: Buffer | Refused;
  try {
    bytes = await readOpened(file, { maxBytes: MAX_BYTES });
  } finally {
    await file.close();
  }
  if (isRefused(bytes))
    return {
      reason: bytes.refused === 'too_large' ? TOO_LARGE : because('cannot_be_read'),
    };
  if (bytes.includes(0)) return { reason: because('is_not_text') };
  if (!isUtf8(bytes)) return { reason: because('is_not_utf8') };
  const raw = new TextDecoder().decode(bytes);
  // What an export wrote keeps its line ends. An editor that changed them changed those of the front matter as well.
  const parted = await partsOf(raw.startsWith(`${MARK}\n`) ? raw : raw.replaceAll('\r\n', '\n'));
  if ('reason' in parted) return parted;
  const { head, text } = parted;
  if (text.length > MAX_LENGTH) return { reason: TOO_LARGE };
  const isNamed = typeof head.path === 'string' && head.path.startsWith(`${MEMORIES}/`);
  const named = isNamed ? checkPath(head.path, [MEMORIES]) : checked;
  if ('error' in named || named.path === MEMORIES) return { reason: because('name_refused') };
  const at = file.stats.mtime.toISOString();
  return {
    memory: {
      key: named.path.slice(MEMORIES.length),
      text,
      created: head.created ?? head.modified ?? at,
      modified: head.modified ?? at,
      author: head.written_by ?? null,
    },
  };
}

const TOO_LARGE = because('larger_than', { megabytes: MAX_LENGTH / 1_000_000 });

/** Splits off front matter that an export wrote. Any other front matter is part of the text. */
export async function partsOf(
  whole: string,
): Promise<{ head: z.infer<typeof Head>; text: string } | { reason: Reason }> {
  const end = whole.startsWith(`${MARK}\n`) ? whole.indexOf(`\n${MARK}\n`, MARK.length) : -1;
  if (end === -1) return { head: {}, text: whole };
  const parsed = await parseYaml(whole.slice(MARK.length + 1, end), { maxBytes: MAX_FRONTMATTER });
  if ('problem' in parsed) return { reason: frontMatterProblem(parsed) };
  const found = parsed.value;
  const isOurs =
    typeof found === 'object' && found !== null && ('modified' in found || 'written_by' in found);
  if (!isOurs) return { head: {}, text: whole };
  const head = Head.safeParse(found);
  if (!head.success) return { reason: because('front_matter_dates') };
  return { head: head.data, text: whole.slice(end + MARK.length + 2) };
}

/** Compares the files with the existing memories, by key; null: there is none. */
export function previewOf(
  read: readonly ReadMemory[],
  now: ReadonlyMap<string, string>,
): (ImportedMemory & { memory?: MemoryFile })[] {
  return read.map(({ path, memory, reason }) => {
    if (memory === undefined) return { path, state: 'invalid', reason };
    const text = now.get(memory.key);
    return { path, memory, state: text === undefined ? 'new' : text === memory.text ? 'same' : 'changed' };
  });
}
