import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { namesOfPath, realPathOf, systemPath } from '../../../base/path-names';
import { isSecretPath } from '../../../base/secret-paths';
import type { Project } from '../../../contract/app';
import { sizeInWords } from '../../../contract/shared/media';
import { shownName } from '../../../contract/shared/shown-name';
import type { BackendProtocol } from '../../../harness';
import { entryAt } from '../../places/place-states';
import { fromMount } from '../../project/mount-paths';
import { MEMORIES } from '../../project/mounts';

/** Maximum number of names per message, and of folder entries for the agent. */
const MAX_NAMES = 50;
const MAX_ENTRIES = 100;
/** Maximum UTF-16 units of a name; a longer word is not a name. */
const MAX_NAME_LENGTH = 1_000;

/** `@src/sum.ts`, `@"with spaces.md"`: only at the start of a word, so that email addresses do not match. */
const NAMED = /(?<=^|[\s([{"'“‘（【「,，。；;:：])@(?:"([^"\n]+)"|([^\s"@]+))/gu;
/** Punctuation at the end of a sentence. */
const TRAILING = /[.,;:!?)\]}'”’。，；：！？）】」]+$/u;

/** Words after an `@`, each once, in order, the longest reading first. */
export function namesIn(text: string): string[][] {
  const found = new Map<string, string[]>();
  for (const [, quoted, bare = ''] of text.matchAll(NAMED)) {
    const word = quoted ?? bare;
    if (found.size >= MAX_NAMES) break;
    if (word.length > MAX_NAME_LENGTH || found.has(word)) continue;
    const shorter = word.replace(TRAILING, '');
    found.set(word, quoted === undefined && shorter !== word && shorter !== '' ? [word, shorter] : [word]);
  }
  return [...found.values()];
}

/**
 * Notes for the agent on files, folders and memories named with `@`: path, size, and a folder's content. Unknown names stay
 * unchanged. Empty if there are none.
 */
export async function mentionNotes(
  text: string,
  place: { project: Project; backend: BackendProtocol },
): Promise<string[]> {
  if (!text.includes('@')) return [];
  const notes: string[] = [];
  for (const readings of namesIn(text)) {
    for (const name of readings) {
      const note = await noteOf(name, place);
      if (note === null) continue;
      notes.push(`@${shownName(name)}: ${note}`);
      break;
    }
  }
  return notes;
}

type Place = Parameters<typeof mentionNotes>[1];

async function noteOf(name: string, place: Place): Promise<string | null> {
  const { project, backend } = place;
  const names = namesOfPath(name);
  if (names === null || names.length === 0) return null;
  const clean = `${name.startsWith('/') ? '/' : ''}${names.join('/')}`;
  if (`${clean}/`.startsWith(`${MEMORIES}/`)) return inMemories(clean, backend);
  const path = `${clean}/`.startsWith(`${project.mount}/`)
    ? clean
    : clean.startsWith('/')
      ? null
      : `${project.mount}/${clean}`;
  if (path !== null && project.remote !== undefined) return remoteNote(path, backend);
  const real = path === null ? null : fromMount(project, path);
  if (path === null || real === null) return null;
  const facts = await lstat(systemPath(real)).catch(() => null);
  if (facts === null) return null;
  if (facts.isDirectory()) return folderNote(path, backend);
  const asked = (await isAsked(real)) ? `. ${ASKED}` : '';
  if (facts.isFile()) return `the file ${shownName(path)}, ${sizeInWords(facts.size)}${asked}`;
  return facts.isSymbolicLink() ? `the link ${shownName(path)}${asked}` : null;
}

/** For a project on another computer. */
async function remoteNote(path: string, backend: BackendProtocol): Promise<string | null> {
  if (path === `/${namesOfPath(path)?.[0] ?? ''}`) return folderNote(path, backend);
  const entry = await entryAt(backend, path);
  if (entry === null) return null;
  if (entry.is_dir === true) return folderNote(path, backend);
  const asked = isSecretPath(path, homedir()) ? `. ${ASKED}` : '';
  const size = entry.size === undefined ? '' : `, ${sizeInWords(entry.size)}`;
  return `the file ${shownName(path)}${size}${asked}`;
}

const ASKED = 'It may contain passwords or keys, so the person is asked before you read it';

/** Whether a file or its link target requires approval before reading: a mention alone does not permit sending it. */
async function isAsked(path: string): Promise<boolean> {
  const real = await realPathOf(systemPath(path)).catch(() => path);
  return [path, real].some((one) => isSecretPath(one, homedir()));
}

async function folderNote(path: string, backend: BackendProtocol): Promise<string | null> {
  const listed = await backend.ls(path, { offset: 0, limit: MAX_ENTRIES });
  if (listed.error !== undefined) return null;
  const files = listed.files ?? [];
  const total = listed.total ?? files.length;
  const head = `the folder ${shownName(path)} with ${total === 1 ? '1 entry' : `${total} entries`}`;
  if (files.length === 0) return head;
  const names = files
    .slice(0, MAX_ENTRIES)
    .map(
      (file) => shownName(file.path.replace(/\/+$/u, '').split('/').at(-1) ?? '') + (file.is_dir ? '/' : ''),
    );
  return `${head}: ${names.join(', ')}${total > names.length ? `, and ${total - names.length} more` : ''}`;
}

async function inMemories(path: string, backend: BackendProtocol): Promise<string | null> {
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  if (path === MEMORIES) return folderNote(path, backend);
  const listed = await backend.ls(folder, { offset: 0, limit: 2_000 });
  const entry = listed.files?.find((file) => file.path.replace(/\/+$/u, '') === path);
  if (entry === undefined) return null;
  return entry.is_dir ? folderNote(path, backend) : `the memory ${shownName(path)}`;
}
