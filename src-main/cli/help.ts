import type { OPTIONS } from './options';

/** One line for the end of an error. */
export const USAGE =
  'Usage: npm run agent -- [options] "prompt". For a list of the options: npm run agent -- --help';

/** The value and the meaning of each option. */
const MEANINGS: Record<keyof typeof OPTIONS, [value: string, meaning: string]> = {
  folder: ['DIR', 'project folder; default: the current folder'],
  project: ['NAME', 'a project of the app in place of a folder: its name, or computer:folder'],
  model: ['P:NAME', 'provider and model, such as anthropic:claude-opus-4-8; default: offline:guide'],
  'base-url': ['URL', 'address of the provider'],
  approve: ['MODE', 'policy (default): what needs approval waits; all: allow it; none: reject it'],
  mode: ['MODE', 'how much this run asks: ask, auto, plan or ask-all'],
  overtime: ['stop|wait', 'what happens to a rehearsed command at its time limit'],
  thread: ['ID', 'continue that thread'],
  fork: ['ID[:MESSAGE]', 'continue in a new thread with the history of that one'],
  decide: ['[CALL=]D', 'with --thread, decide about a pending call: approve, reject, keep, discard, …'],
  'data-dir': ['DIR', "where the database is; default: the app's data folder"],
  json: ['', 'print one JSON event per line'],
  acp: ['', 'serve an editor in place of a prompt'],
  routine: ['NAME', 'run that routine now'],
  'list-routines': ['', 'print the routines and when they run next'],
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
  'docs/headless.md describes them in full, with the exit statuses.',
  '',
].join('\n');
