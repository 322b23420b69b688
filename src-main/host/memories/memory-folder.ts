import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { z } from 'zod';
import { parseYaml } from '../../base/limited-json';
import { listRegular, openRegular, readOpened } from '../../base/open-regular';
import { isRefused, type Refused } from '../../base/regular-file';
import type { ImportedMemory } from '../../contract/commands/memories';
import { because, type Reason } from '../../contract/shared/reasons';
import { frontMatterProblem } from '../../contract/shared/yaml-problem';
import { checkPath } from '../../harness/backends';
import { Author } from '../../harness/storage/sqlite/store';
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

/** Maximum number of files that are read, and of bytes per file. */
const MAX_FILES = 20_000;
const MAX_BYTES = 2_000_000;
/** Bytes of front matter that are read. */
const MAX_FRONTMATTER = 16 * 1024;
const MARK = '---';

const Head = z.object({
  created: z.iso.datetime({ offset: true }).optional(),
  modified: z.iso.datetime({ offset: true }).optional(),
  written_by: Author.optional(),
});

/** Writes memories into a new folder, `deepdesk-memories` or the same with a number. Returns its path. */
export async function writeMemories(parent: string, memories: readonly MemoryFile[]): Promise<string> {
  const folder = await newFolder(parent);
  for (const { key, text, created, modified, author } of memories) {
    const path = join(folder, ...key.split('/').filter((part) => part !== ''));
    await mkdir(dirname(path), { recursive: true });
    const head = stringify({ created, modified, ...(author === null ? {} : { written_by: author }) });
    await writeFile(path, `${MARK}\n${head}${MARK}\n${text}`, { flag: 'wx' });
  }
  return folder;
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
  for (const inside of await filesBelow(folder)) {
    const path = `${MEMORIES}/${inside}`;
    found.push({ path, ...(await readMemory(folder, inside, path)) });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
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
      reason:
        bytes.refused === 'too_large'
          ? because('larger_than', { megabytes: MAX_BYTES / 1_000_000 })
          : because('cannot_be_read'),
    };
  if (bytes.includes(0)) return { reason: because('is_not_text') };
  const whole = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
  if (whole.includes('\uFFFD')) return { reason: because('is_not_utf8') };
  const parted = await partsOf(whole);
  if ('reason' in parted) return parted;
  const { head, text } = parted;
  const at = file.stats.mtime.toISOString();
  return {
    memory: {
      key: checked.path.slice(MEMORIES.length),
      text,
      created: head.created ?? head.modified ?? at,
      modified: head.modified ?? at,
      author: head.written_by ?? null,
    },
  };
}

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
