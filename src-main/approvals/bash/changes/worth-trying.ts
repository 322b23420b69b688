import { posix } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { isSecretPath } from '../../../base/secret-paths';
import { SHOWN_OF_SYS, SYSTEM_FOLDERS } from '../../../base/system-places';
import type { ReasonCode } from '../../../contract/shared/reasons';
import { parseLine } from '../commands/commands';
import { commandsIn, type FoundCommand } from '../commands/walk';
import type { ShellWord } from '../parsing/words';
import { absolute, type ShellPlaces } from '../paths/places';
import { falseBlankIn } from '../verdict/deceptive';
import { changesOrWaits, reachesOrWaits, stopsReading, takesText, writesTo } from './worth-trying-programs';

/** Files that discard output. */
const SINKS = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/;
/** Output into a file, in text that the parser does not understand. */
const WRITES_FILE = />(?!&|\(|>?\s*\/dev\/(null|stderr|stdout)\b)/;
/** Commands that read a typed line, unless the line redirects or pipes their input. */
const READS_LINE = new Set(['read', 'mapfile', 'readarray']);
const GIVES_INPUT = /(?<!\|)\|(?!\|)|</;
const LOOP = /\b(for|while|until|select)\b/;
/** Variables that usually hold a secret. */
const SECRET_VARIABLE =
  /(\$\{?[!#]?|\bprintenv\b.*\s)\w*(KEY|TOKEN|SECRET|PASS(WORD|WD)?|CREDENTIALS?|AUTH)\b/i;
/** Constructs that run in the background or wait for a person. */
const NEVER_TRIED: ReadonlySet<ReasonCode> = new Set(['background', 'second_process', 'choice']);
/** First names of absolute paths. Anything else after a slash is a pattern, a route or a date. */
const ROOTS =
  /^\/(bin|boot|dev|etc|home|lib\w*|media|mnt|nix|opt|private|proc|root|run|sbin|snap|srv|sys|tmp|usr|var|Applications|Library|System|Users|Volumes)?(\/|$)/;

/**
 * Whether a line that is not known to be read-only is worth running where it can do no harm: in a sandbox with a read-only
 * folder, no network, and a hidden home folder. The meaning of its words does not matter there, so even a line that nobody
 * understands is worth it. Not worth it: a line that would fail or wait there, or that needs the person's decision anyway,
 * that is, jobs, commands whose words show that they change files, use the network or need keyboard input, and any line that
 * names a secret or a place outside the folder.
 */
export function isWorthTrying(source: string, places: ShellPlaces): boolean {
  return triesLine(source, places, READING);
}

/**
 * Whether a line is worth running in a throwaway layer, where it may change files but has no network. Not worth it: a line
 * that would fail or wait there, or that names a secret or a place outside the folder.
 */
export function isWorthRehearsing(source: string, places: ShellPlaces): boolean {
  return triesLine(source, places, LAYER);
}

/** The conditions of a trial run. */
interface Trial {
  /** Whether the words show that a command would fail or wait there. */
  fails: typeof changesOrWaits;
  writes: boolean;
}
const READING: Trial = { fails: changesOrWaits, writes: false };
const LAYER: Trial = { fails: reachesOrWaits, writes: true };
/** Folders that are private to each layer. */
const TEMPORARY = ['/tmp', '/var/tmp'];
/** Facts about the system, which are the same inside. Nothing about persons or services. */
const FACTS =
  /^\/etc\/(os-release|lsb-release|[a-z]+[_-](version|release)|hosts|services|protocols|shells|timezone|localtime|mime\.types|ssl\/certs(\/.*)?)$|^\/proc\/(cpuinfo|meminfo|version|uptime|loadavg|filesystems)$/;
/** Devices without an end. */
const ENDLESS = /^\/dev\/(zero|urandom|random)$/;

function triesLine(source: string, places: ShellPlaces, trial: Trial): boolean {
  if (source.trim() === '' || SECRET_VARIABLE.test(source)) return false;
  const { constructs, problem } = parseLine(source);
  // Text that the parser does not understand is split as a person would read it.
  const words = source.split(/[\s;|&(){}`"'<>]+/);
  if (problem !== null && ((!trial.writes && WRITES_FILE.test(source)) || !triesWords(words, trial)))
    return false;
  if (constructs.some(({ reason }) => NEVER_TRIED.has(reason.code))) return false;
  const hasInput = GIVES_INPUT.test(source);
  const commands = [...commandsIn(source, places)];
  // It waits for something, for as long as that takes.
  if (LOOP.test(source) && commands.some(({ name }) => name === 'sleep')) return false;
  const stops = commands.some(({ name, rest }) =>
    stopsReading(
      name,
      rest.map(({ value }) => value),
    ),
  );
  return commands.every(
    (command) => (hasInput || !READS_LINE.has(command.name)) && tries(command, places, { ...trial, stops }),
  );
}

const triesWords = (words: readonly string[], { fails }: Trial): boolean =>
  words.every((word) => fails(posix.basename(word), ['.']) === false);

function tries(
  command: FoundCommand,
  places: ShellPlaces,
  { fails, writes, stops }: Trial & { stops: boolean },
): boolean {
  const { name, first, rest, redirects, directory, by, inputFrom } = command;
  // If the directory is unknown, the words of `cd` were already judged.
  const here = { ...places, cwd: directory ?? places.cwd };
  const elsewhere = (word: ShellWord, at: ShellPlaces) =>
    namesOther(word, at) && !(writes && isTemporary(word, at));
  const canRead = (word: ShellWord) => isShownInside(word, here) || (stops && ENDLESS.test(word.value));
  for (const { operator, target, isDescriptor } of redirects) {
    if (target === null || isDescriptor) continue;
    const isKept = operator !== '<' && !SINKS.test(target.value);
    if (isKept && !writes) return false;
    if (operator === '<' ? elsewhere(target, here) && !canRead(target) : isKept && elsewhere(target, here))
      return false;
  }
  if (first === undefined) return true;
  if ([first, ...rest].some(({ text }) => falseBlankIn(text) !== null)) return false;
  const values = rest.map(({ value }) => value);
  const hasInput =
    inputFrom.length > 0 || by.length > 0 || redirects.some(({ operator }) => operator.startsWith('<'));
  if (fails(name, values, hasInput)) return false;
  // The words of the inner command are judged separately.
  if (command.runsOther) return true;
  return rest.every(
    (word, index) =>
      takesText(name, values, index) ||
      !elsewhere(word, here) ||
      (canRead(word) && !writesTo(name, values, index)),
  );
}

/** Whether a sandbox shows a place of the system as it is. */
function isShownInside({ value }: ShellWord, places: ShellPlaces): boolean {
  const named = withoutOption(value);
  if (isSecretPath(named, places.home)) return false;
  const path = absolute(named, places);
  return FACTS.test(path) || [...SYSTEM_FOLDERS, ...SHOWN_OF_SYS].some((place) => isBelow(path, place));
}

const withoutOption = (value: string) => value.replace(/^-{1,2}[\w-]+=|^-[A-Za-z](?=[/.~])/, '');

const isTemporary = ({ value }: ShellWord, places: ShellPlaces): boolean =>
  !isSecretPath(value, places.home) && TEMPORARY.some((place) => isBelow(absolute(value, places), place));

/** Whether a word names a secret or a place outside the folder. */
function namesOther({ value, literal }: ShellWord, places: ShellPlaces): boolean {
  const named = withoutOption(value);
  if (SINKS.test(named) || named === '/dev/stdin') return false;
  if (isSecretPath(named, places.home)) return true;
  if (/^(~|\$HOME|\$\{HOME\})/.test(named)) return !literal;
  const isPath = named.startsWith('/') ? ROOTS.test(named) : named.split('/').includes('..');
  return isPath && !isBelow(absolute(named, places), places.folder);
}
