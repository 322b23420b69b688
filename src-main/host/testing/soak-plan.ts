import type { Step } from '../../../e2e/providers/script';

/** Steps per turn of the thread's own agent, including the final message. */
export const TURN = 20;
/** Steps after which the plan repeats. */
const CYCLE = 40;
/** Steps of each of the two sub-agents that a step may start. */
const PARTS = 4;

export interface Places {
  /** The project folder's path for the tools. */
  mount: string;
}

const four = (n: number): string => String(n).padStart(4, '0');
export const stepName = (n: number): string => `Step ${four(n)}`;
const partName = (n: number, who: 'a' | 'b', part: number): string => `Part ${four(n)}-${who}-${part}`;

/** Text of exactly `length` characters that appears in no other step's file. */
function filling(n: number, length: number): string {
  const line = `line of ${four(n)}: the quick brown fox jumps over the lazy dog\n`;
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}

/** Lines that no other command prints; more than a model with a small context window receives. */
export const LONG_OUTPUT_LINES = 3_000;

/**
 * The action of a step of the thread's own agent. It depends only on the number, so a repeated request gets the same answer.
 */
export function rootStep(n: number, { mount }: Places): Step {
  const text = stepName(n);
  if (n % TURN === TURN - 1) return { text: `${text}. Done so far.` };
  const call = (name: string, args: Record<string, string | number | boolean | object[]>): Step => ({
    text,
    calls: [{ name, args: JSON.parse(JSON.stringify(args)) }],
  });
  switch (n % CYCLE) {
    case 1:
    case 11:
    case 31:
      return call('read_file', { file_path: `${mount}/long.txt`, offset: n, limit: 60 });
    case 2:
      return call('write_file', { file_path: `${mount}/out/${four(n)}.txt`, content: filling(n, 450) });
    case 4:
      return call('execute', { command: `echo ${four(n)} >> log.txt` });
    case 5:
      return call('edit_file', {
        file_path: `/notes/${four(n - 5)}.md`,
        old_string: `line of ${four(n - 5)}: the`,
        new_string: `line of ${four(n - 5)} as ${four(n)} has it: the`,
        replace_all: true,
      });
    case 6:
      return call('execute', {
        command: `seq -f "${four(n)} %.0f of a long output" 1 ${LONG_OUTPUT_LINES}`,
      });
    case 7:
    case 27:
      return call('write_todos', {
        todos: [
          { content: `What ${four(n)} began`, status: 'completed' },
          { content: `What comes after ${four(n)}`, status: 'in_progress' },
        ],
      });
    case 8:
      return {
        text,
        calls: (['a', 'b'] as const).map((who) => ({
          name: 'task',
          args: {
            description: `Do the parts of ${four(n)}-${who}. ${filling(n, 120)}`,
            subagent_type: 'general-purpose',
          },
        })),
      };
    case 9:
      return call('write_file', {
        file_path: `/memories/soak-${n % 7}.md`,
        content: `Remembered at ${four(n)}.`,
      });
    case 12:
      return {
        text,
        calls: [0, 1, 2].map((one) => ({
          name: 'write_file',
          args: { file_path: `${mount}/out/${four(n)}-${one}.txt`, content: filling(n, 160) },
        })),
      };
    case 13:
    case 33:
      return {
        text: `${text}. ${filling(n, 500)}`,
        calls: [
          { name: 'ls', args: { path: `${mount}/out` } },
          { name: 'glob', args: { pattern: 'long.*', path: mount } },
        ],
      };
    case 14:
      return call('grep', { pattern: `${four(n)}:`, path: mount });
    case 24:
      return call('read_file', { file_path: `/notes/${four(n - 4)}.md`, offset: 0, limit: 100 });
    default:
      return call('write_file', { file_path: `/notes/${four(n)}.md`, content: filling(n, 260) });
  }
}

/** The action of a sub-agent in one of its parts; the last is its report. */
export function partStep(n: number, who: 'a' | 'b', part: number, { mount }: Places): Step {
  const text = partName(n, who, part);
  switch (part) {
    case 0:
      return {
        text,
        calls: [
          {
            name: 'write_file',
            args: { file_path: `/notes/${four(n)}-${who}.md`, content: filling(n, 160) },
          },
        ],
      };
    case 1:
      return {
        text,
        calls: [{ name: 'read_file', args: { file_path: `${mount}/long.txt`, offset: n, limit: 40 } }],
      };
    case 2:
      return {
        text,
        calls: [
          who === 'a'
            ? { name: 'execute', args: { command: `echo ${four(n)}-a >> log.txt` } }
            : { name: 'ls', args: { path: '/notes' } },
        ],
      };
    default:
      return { text: `${text}. Reported.` };
  }
}

/** The person's decision on one of several calls of a step: the second is rejected, the third edited. */
export function decisionOn(path: string): 'approve' | 'reject' | 'edit' {
  if (path.endsWith('-1.txt')) return 'reject';
  return path.endsWith('-2.txt') ? 'edit' : 'approve';
}
export const EDITED = 'As the person has it.\n';

/** The expected result after that many steps. */
export interface Expected {
  /** Steps of the thread's own agent, and of both sub-agents of each step that starts them. */
  root: string[];
  parts: Map<string, string[]>;
  /** Files of the folder, and lines of its log. */
  folder: Map<string, string>;
  log: string[];
  /** Files in the thread's own storage. */
  notes: Map<string, string>;
  memories: Map<string, string>;
  /** Steps whose results are too large for a request. */
  offloaded: number;
}

export function expectedAfter(steps: number, places: Places): Expected {
  const expected: Expected = {
    root: [],
    parts: new Map(),
    folder: new Map(),
    log: [],
    notes: new Map(),
    memories: new Map(),
    offloaded: 0,
  };
  const apply = ({ calls = [] }: Step): void => {
    for (const { name, args } of calls) {
      const path = String(args.file_path ?? '');
      const content = String(args.content ?? '');
      const logged = /^echo (\S+) >> log\.txt$/.exec(String(args.command ?? ''))?.[1];
      if (logged !== undefined) expected.log.push(logged);
      else if (name === 'execute') expected.offloaded++;
      if (name === 'edit_file') {
        const before = expected.notes.get(path) ?? '';
        expected.notes.set(
          path,
          before.replaceAll(String(args.old_string), () => String(args.new_string)),
        );
      }
      if (name !== 'write_file') continue;
      if (path.startsWith('/notes/')) expected.notes.set(path, content);
      else if (path.startsWith('/memories/')) expected.memories.set(path, content);
      else if (decisionOn(path) !== 'reject')
        expected.folder.set(
          path.slice(places.mount.length + 1),
          decisionOn(path) === 'edit' ? EDITED : content,
        );
    }
  };
  for (let n = 0; n < steps; n++) {
    expected.root.push(stepName(n));
    const step = rootStep(n, places);
    apply(step);
    if (!step.calls?.some(({ name }) => name === 'task')) continue;
    for (const who of ['a', 'b'] as const) {
      const names = Array.from({ length: PARTS }, (_, part) => partName(n, who, part));
      expected.parts.set(`${four(n)}-${who}`, names);
      for (let part = 0; part < PARTS; part++) apply(partStep(n, who, part, places));
    }
  }
  return expected;
}

/** Model answers for that many steps of the thread's own agent, including sub-agents. */
export function answersOf(steps: number): number {
  let answers = steps;
  for (let n = 8; n < steps; n += CYCLE) answers += 2 * PARTS;
  return answers;
}
