import { because, type Reason } from '../../../contract/shared/reasons';
import type { BackendProtocol } from '../../backends/protocol';
import { TOOLS } from '../../tools/catalogue';
import prompt from '../prompts/memory.md?raw';
import type { Parts } from './changes';
import { readTextFile } from './text-file';

/** UTF-16 units of one file that go into the prompt. The agent can read the rest. */
const MAX_LENGTH = 40_000;

/**
 * A file of instructions: a path in the backend, a name with a loader, or a file that the person muted. A muted file is not
 * loaded, and the thread forgets its earlier text.
 */
export type MemorySource =
  | string
  | {
      /** Names the text for the model. */
      path: string;
      /** Null: there is none now. */
      load: () => Promise<string | null>;
    }
  | {
      /** The name under which it was loaded. */
      path: string;
      /** Its text no longer reaches the model. */
      muted: true;
    };

const pathOf = (source: MemorySource): string => (typeof source === 'string' ? source : source.path);

const isMuted = (source: MemorySource): source is { path: string; muted: true } =>
  typeof source !== 'string' && 'muted' in source;

export const mutedPaths = (sources: readonly MemorySource[]): string[] =>
  sources.filter(isMuted).map(({ path }) => path);

/** The texts of the existing files, in the order of the sources. Calls `warn` for each file that cannot be read. */
export async function loadMemory(
  backend: BackendProtocol,
  sources: readonly MemorySource[],
  warn: (why: Reason) => void,
): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const source of sources) {
    if (isMuted(source)) continue;
    const path = pathOf(source);
    const file = typeof source === 'string' ? await readTextFile(backend, source) : await loaded(source.load);
    if (file === null) continue;
    if ('error' in file) warn(because('file_not_loaded', { path, why: file.error }));
    else {
      const text = withoutComments(file.text).trim();
      if (text !== '') contents[path] = cut(text, path);
    }
  }
  return contents;
}

async function loaded(load: () => Promise<string | null>): Promise<{ text: string } | null> {
  const text = await load();
  return text === null ? null : { text };
}

/** Comments are notes from people to people. A regular expression would search the whole text after each unclosed one. */
function withoutComments(text: string): string {
  let kept = '';
  for (let at = 0; ; ) {
    const start = text.indexOf('<!--', at);
    const end = start === -1 ? -1 : text.indexOf('-->', start + '<!--'.length);
    if (end === -1) return kept + text.slice(at);
    kept += text.slice(at, start);
    at = end + '-->'.length;
  }
}

function cut(text: string, path: string): string {
  if (text.length <= MAX_LENGTH) return text;
  return `${text.slice(0, MAX_LENGTH)}\n... [${text.length - MAX_LENGTH} more characters in ${path}: read them with ${TOOLS.readFile.name}]`;
}

/** A section of the system prompt with the text of the files. */
export function memoryParts(contents: Record<string, string>): Parts {
  const texts = Object.entries(contents).map(([path, text]) => `${path}\n${text}`);
  const memory = texts.length === 0 ? '(No memory loaded)' : texts.join('\n\n');
  return { section: `${prompt.trim()}\n\n<agent_memory>\n${memory}\n</agent_memory>`, parts: contents };
}
