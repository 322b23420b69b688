import { optional } from '../../../contract/shared/optional';
import type { ShellWord } from '../parsing/words';
import { APPENDS, innerOf } from '../parsing/wrappers';
import type { ShellPlaces } from '../paths/places';
import { parseLine, type ShellCommand } from './commands';
import { directoryAfter } from './directories';

/** One simple command anywhere in a line, including those that other commands run. */
export interface FoundCommand {
  /** Without its directory; '' if the command consists only of redirections. */
  name: string;
  first: ShellWord | undefined;
  rest: readonly ShellWord[];
  redirects: ShellCommand['redirects'];
  /** The directory that it runs in; null if unknown. */
  directory: string | null;
  /** Names of the commands that run it, nearest first. */
  by: readonly string[];
  /** Names of the commands before it in its pipeline; null for anything but a simple command. */
  inputFrom: ShellCommand['inputFrom'];
  alsoRuns: ShellCommand['alsoRuns'];
  /** What it reads, as far as the line shows it. */
  typed: ShellCommand['typed'];
  /** It runs another command, which follows in the list or is known only at run time. */
  runsOther: boolean;
  runsUnknown: boolean;
  isCompound?: true;
}

const MAX_DEPTH = 8;

/** Every simple command of a line, outer ones first. */
export function* commandsIn(
  source: string,
  places: Pick<ShellPlaces, 'cwd' | 'home'>,
): Generator<FoundCommand> {
  yield* inLine(source, { home: places.home, directory: places.cwd, by: [] });
}

interface Around {
  home: string;
  directory: string | null;
  by: readonly string[];
}

function* inLine(source: string, around: Around): Generator<FoundCommand> {
  for (const command of parseLine(source).commands) {
    const directory = directoryAfter(command.moves, around.directory, around.home);
    yield* inCommand(command.words, command, { ...around, directory });
  }
}

function* inCommand(
  words: readonly ShellWord[],
  {
    redirects,
    inputFrom,
    alsoRuns,
    typed,
    isCompound,
  }: Pick<ShellCommand, 'redirects' | 'inputFrom' | 'alsoRuns' | 'typed' | 'isCompound'>,
  around: Around,
): Generator<FoundCommand> {
  const [first, ...rest] = words;
  const { directory, by, home } = around;
  const name = first?.value.split('/').at(-1) ?? '';
  const inner = first === undefined ? null : innerOf(name, rest);
  const runsUnknown = inner !== null && ('unknown' in inner || by.length >= MAX_DEPTH);
  const runsOther = inner !== null;
  const own = { redirects, inputFrom, alsoRuns, typed, ...optional({ isCompound }) };
  yield { name, first, rest, directory, by, ...own, runsOther, runsUnknown };
  if (inner === null || 'unknown' in inner || by.length >= MAX_DEPTH) return;
  const inside = { ...around, by: [name, ...by] };
  // What `xargs` reads becomes words.
  const input = APPENDS.test(name) ? { inputFrom: [], typed: [] } : { inputFrom, typed };
  const passed = { redirects: [], alsoRuns: [], ...input };
  if ('line' in inner) yield* inLine(inner.line, inside);
  else if (inner.directory === undefined) yield* inCommand(inner.words, passed, inside);
  else {
    const to =
      inner.directory?.literal === true ? directoryAfter([inner.directory.value], directory, home) : null;
    yield* inCommand(inner.words, passed, { ...inside, directory: to });
  }
}
