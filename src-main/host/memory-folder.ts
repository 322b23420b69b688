import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { checkPath } from '../backends';
import type { ImportedMemory } from '../contract/memory-commands';
import { Author } from '../storage/store';
import { MEMORIES } from './mounts';

export interface MemoryFile {
  /** Below /memories, with a slash. */
  key: string;
  text: string;
  /** ISO 8601. */
  created: string;
  modified: string;
  author: z.infer<typeof Author> | null;
}

export type ReadMemory = { path: string } & (
  | { memory: MemoryFile; reason?: never }
  | { reason: string; memory?: never }
);

/** Files that are read at most, and bytes of each. */
const MAX_FILES = 20_000;
const MAX_BYTES = 2_000_000;
const MARK = '---';

const Head = z.object({
  created: z.iso.datetime({ offset: true }).optional(),
  modified: z.iso.datetime({ offset: true }).optional(),
  written_by: Author.optional(),
});

/** Writes memories into a new folder: `deepdesk-memories`, or with a number where there is one. Answers its path. */
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

/** What a folder of Markdown holds, links left out. What cannot be a memory comes with a reason. */
export async function readMemories(folder: string): Promise<ReadMemory[]> {
  const found: ReadMemory[] = [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.slice(0, MAX_FILES)) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue;
    const full = join(entry.parentPath, entry.name);
    const path = `${MEMORIES}/${relative(folder, full).split(sep).join('/')}`;
    found.push({ path, ...(await readMemory(full, path)) });
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function readMemory(full: string, path: string): Promise<{ memory: MemoryFile } | { reason: string }> {
  const checked = checkPath(path, [MEMORIES]);
  if ('error' in checked) return { reason: checked.error };
  const { size, mtime } = await stat(full);
  if (size > MAX_BYTES) return { reason: 'It is larger than 2 MB.' };
  const bytes = await readFile(full);
  if (bytes.includes(0)) return { reason: 'It is not text.' };
  const whole = new TextDecoder().decode(bytes).replaceAll('\r\n', '\n');
  if (whole.includes('\uFFFD')) return { reason: 'It is not UTF-8 text.' };
  const parted = partsOf(whole);
  if ('reason' in parted) return parted;
  const { head, text } = parted;
  const at = mtime.toISOString();
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

/** The front matter that an export wrote, and the text. Any other front matter is part of the text. */
export function partsOf(whole: string): { head: z.infer<typeof Head>; text: string } | { reason: string } {
  const end = whole.startsWith(`${MARK}\n`) ? whole.indexOf(`\n${MARK}\n`, MARK.length) : -1;
  if (end === -1) return { head: {}, text: whole };
  let found: unknown;
  try {
    found = parse(whole.slice(MARK.length + 1, end));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { reason: `Its front matter is no YAML: ${error.message.split('\n')[0]}` };
  }
  const isOurs =
    typeof found === 'object' && found !== null && ('modified' in found || 'written_by' in found);
  if (!isOurs) return { head: {}, text: whole };
  const head = Head.safeParse(found);
  if (!head.success) return { reason: 'Its front matter names dates or authors that are none.' };
  return { head: head.data, text: whole.slice(end + MARK.length + 2) };
}

/** How what was read stands to what is there, by key; null: there is none. */
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
