// The database of the desktop cases: threads of known lengths, created without running anything.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Message } from '../../src-main/contract/conversation';
import { ProjectId, ThreadId } from '../../src-main/contract/ids';
import { openStorage, type Storage } from '../../src-main/storage';
import { inEnglish } from '../../src-renderer/i18n/errors';

const FROM = Date.parse('2026-01-02T08:00:00Z');
const MINUTE = 60_000;

const words = (seed: number, count: number): string => {
  let state = seed * 2_654_435_761;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return WORDS[state % WORDS.length];
  }).join(' ');
};
const WORDS =
  'the build test file change error module server client runs reads writes fails passes line value state table query index page window thread message answer call'.split(
    ' ',
  );

/** Questions, calls, answers with code and long answers, in turn: about 700 bytes each. */
export function messageOf(index: number): Message {
  const at = FROM + index * MINUTE;
  const id = `m${index}`;
  if (index % 5 === 0)
    return Message.parse({ role: 'user', id, at, text: `Question ${index}: ${words(index, 12)}?` });
  const calls =
    index % 5 === 1
      ? [
          {
            callId: `c${index}`,
            name: 'read_file',
            args: { file_path: `/p/part-${index}.ts` },
            status: 'done',
            durationMs: 12,
            result: words(index, 80),
          },
          {
            callId: `d${index}`,
            name: 'execute',
            args: { command: `npm test ${index}` },
            status: 'done',
            durationMs: 1_200,
            exitCode: 0,
            result: words(index + 1, 60),
          },
        ]
      : [];
  const text =
    index % 5 === 1
      ? ''
      : index % 5 === 2
        ? `${words(index, 40)}.\n\n\`\`\`ts\nexport const part${index} = ${index};\n${'call(part);\n'.repeat(8)}\`\`\`\n\n- ${words(index, 8)}\n- ${words(index + 1, 8)}`
        : `${words(index, 60)}.\n\n${words(index + 7, 60)}.`;
  return Message.parse({ role: 'agent', id, at, text, reasoning: '', calls, phase: 'done' });
}

const projectId = ProjectId.parse('bench');

export function open(folder: string): Storage {
  mkdirSync(folder, { recursive: true });
  const opened = openStorage(join(folder, 'deepdesk.db'));
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  return opened.value;
}

/** A project with one thread for each length, titled with it. The shortest is the newest. */
export function seed(storage: Storage, folder: string, lengths: readonly number[], baseUrl: string): void {
  mkdirSync(folder, { recursive: true });
  storage.settings.change({ onboarded: true, model: MODEL, language: 'en', theme: 'light' });
  storage.settings.set('baseUrl:openai-compatible', baseUrl);
  addProject(storage, projectId, folder);
  for (const length of lengths)
    addThread(storage, `t${length}`, `Thread of ${length}`, length, FROM - length);
}

/** A folder opened as a project. */
export function addProject(storage: Storage, id: ProjectId, folder: string): void {
  mkdirSync(folder, { recursive: true });
  storage.projects.save({
    id,
    name: id,
    folder,
    mount: folder,
    isSample: false,
    openedAt: FROM,
    missing: false,
  });
}

const MODEL = 'openai-compatible:bench';

export function addThread(
  storage: Storage,
  id: string,
  title: string,
  length: number,
  updatedAt: number,
  project: ProjectId = projectId,
): void {
  const threadId = ThreadId.parse(id);
  storage.transaction(() => {
    storage.threads.insert({
      id: threadId,
      projectId: project,
      title,
      model: MODEL,
      createdAt: FROM,
      updatedAt,
    });
    for (let index = 0; index < length; index += 1) storage.messages.save(threadId, messageOf(index));
  });
}
