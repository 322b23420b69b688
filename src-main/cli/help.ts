import type { OPTIONS } from './options';

/** One line for the end of an error. */
export const USAGE =
  'Usage: npm run agent -- [options] "prompt". For a list of the options: npm run agent -- --help';

/** Value and meaning of each option. */
const MEANINGS: Record<keyof typeof OPTIONS, [value: string, meaning: string]> = {
  folder: ['DIR', 'project folder; default: the current folder'],
  project: ['NAME', 'a project of the app, instead of a folder: its name, or computer:folder'],
  model: ['P:NAME', 'provider and model, such as anthropic:claude-opus-4-8; default: offline:guide'],
  'base-url': ['URL', 'address of the provider'],
  approve: ['MODE', 'calls that need approval: policy (default) waits, all approves, none rejects'],
  mode: ['MODE', 'approval mode of this run: ask, auto, plan or ask-all'],
  overtime: ['stop|wait', 'what to do with a command in a throwaway layer at its time limit'],
  thread: ['ID', 'continue this thread'],
  fork: ['ID[:MESSAGE]', "continue in a new thread with a copy of that one's history"],
  decide: ['[CALL=]D', 'with --thread, decide on a pending call: approve, reject, keep, discard, …'],
  'data-dir': ['DIR', "folder of the database; default: the app's data folder"],
  json: ['', 'print one JSON event per line'],
  acp: ['', 'serve an editor instead of running a prompt'],
  routine: ['NAME', 'run this routine now'],
  'list-routines': ['', 'print all routines and their next runs'],
  help: ['', 'print this list'],
};

const WIDTH = 24;

/** What `--help` prints. */
export const HELP = [
  'Usage: npm run agent -- [options] "prompt"',
  '',
  'Runs one turn of the agent without a window, with the same rules and data as the app.',
  '',
  ...Object.entries(MEANINGS).map(
    ([name, [value, meaning]]) => `  ${`--${name} ${value}`.trimEnd().padEnd(WIDTH)}  ${meaning}`,
  ),
  '',
  'See docs/headless.md for details and exit statuses.',
  '',
].join('\n');
