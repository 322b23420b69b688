import { commandsIn, type FoundCommand } from '../commands/walk';
import { isInterpreter } from '../parsing/interpreters';
import { innerStarts, sameCommand } from '../parsing/subcommands';
import { LOOSE, runsWords } from '../parsing/wrappers';
import { isUnknownProgram } from '../reading/rule-options';

/** Maximum words of one command that are read as commands of their own. */
const MAX_STARTS = 20;
/** Programs whose words are names or patterns, never commands. */
const TAKES_NAMES =
  /^(ag|ack|ugrep|man|tldr|whatis|apropos|info|help|apt|apt-get|aptitude|apk|dnf|yum|pacman|zypper|brew|snap|flatpak|port|code|subl|open)$/;
/** Programs that can delete, or that run other programs. */
const DELETES =
  /^(rm|rmdir|unlink|shred|truncate|rimraf|del-cli|trash|trash-put|srm|wipe|mv|rsync|find|git|hg|svn|chmod|chown|patch|eval)$/;

/**
 * The commands that a program may run and that are among its words: `poetry run rm -rf x`, `ssh-agent bash -c '…'`, `concurrently
 * 'rm x'`. Only those that may delete something. What the program really does with its words is unknown.
 */
export function* launchedBy(found: FoundCommand, home: string): Generator<FoundCommand> {
  const { name, rest, directory, by } = found;
  const words = rest.map(({ value }) => value);
  let left = MAX_STARTS;
  for (const at of startsAmong(name, words)) {
    const first = rest[at];
    if (first === undefined || IS_TEXT.test(words[at - 1] ?? '')) continue;
    const isLine = /\s/.test(first.value.trim());
    const isProgram =
      /^(\/.*\/)?[\w.-]+$/.test(first.value) && mayDelete(first.value.split('/').at(-1) ?? '');
    if (!isLine && !isProgram) continue;
    if (--left < 0) return;
    const line = isLine
      ? first.value
      : rest
          .slice(at)
          .map(({ text }) => text)
          .join(' ');
    for (const inner of commandsIn(line, { cwd: directory ?? '/', home }))
      if (mayDelete(inner.name) && inner.first?.literal === true)
        yield {
          ...inner,
          directory: directory === null ? null : inner.directory,
          by: [...inner.by, name, ...by],
        };
  }
}

const mayDelete = (name: string): boolean => DELETES.test(name) || runsWords(name) || isInterpreter(name);

/** Options whose value is text for people, or a search pattern. */
const IS_TEXT =
  /^(-[mtkF]|--(message|title|body|notes?|grep|testNamePattern|description|name|reason|comment|text|query|filter|label))$/;

/** The indexes of the words at which a command may begin. */
function* startsAmong(name: string, words: readonly string[]): Generator<number> {
  const same = sameCommand([name, ...words]);
  const added = same.length - words.length;
  let isRunner = false;
  for (const at of innerStarts(same)) {
    isRunner = true;
    if (at >= added) yield at - added;
  }
  if (
    isRunner ||
    !(LOOSE.has(name) || (isUnknownProgram(name) && !TAKES_NAMES.test(name) && !mayDelete(name)))
  )
    return;
  yield* words.keys();
}
