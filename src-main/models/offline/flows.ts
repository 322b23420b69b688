import { TOOLS } from '../../harness/tools/catalogue';
import type { Action } from './actions';
import type { Words } from './language';
import { MEMORIES, memoryFile, nameFromText, slugOf } from './memory-names';
import { linesIn, matchesIn, type Outcome, omittedIn, type PlannedCall, pathsIn } from './results';

/** The result of one action: a clause for the closing sentence, and the text below it. */
export type Report = { ok: boolean; clause: string; below?: string };

/** Yields parallel calls, receives their results in the same order, and returns a report. */
export type Flow = Generator<PlannedCall[], Report, Outcome[]>;

export interface Setting {
  words: Words;
  /** The base of file names, absolute, without a trailing slash. Empty if there is no folder. */
  folder: string;
}

/** The demo is a list of requests, which is expanded first. */
export type PlayedAction = Exclude<Action, { do: 'demo' }>;

/** Maximum memories read for one question. */
const MAX_MEMORIES = 8;
/** The beginning of a result that the person discarded. */
const DISCARDED = /^\[This ran in a throwaway layer\. The person discarded/u;
/** The beginning of an unfinished sub-agent's report, in either language. */
const STOPPED = /^(?:Stopped|已停止)/u;
/** Maximum lines read of a memory; the tool's default is 100. */
const MEMORY_LINES = 2_000;

/**
 * The tool calls of one action, in the order that a model would make them. Pure: each model request replays a flow from the
 * start with the results in the conversation.
 */
export function flowOf(action: PlayedAction, setting: Setting): Flow {
  switch (action.do) {
    case 'list':
      return list(action, setting);
    case 'read':
      return read(action, setting);
    case 'find':
      return find(action, setting);
    case 'files':
      return files(action, setting);
    case 'create':
      return create(action, setting);
    case 'replace':
      return replace(action, setting);
    case 'delete':
      return remove(absolute(action.file, setting), action.source, setting, (path) =>
        setting.words.deleted(
          path === absolute(action.file, setting) ? action.file : relative(path, setting),
        ),
      );
    case 'run':
      return run(action, setting);
    case 'remember':
      return remember(action, setting);
    case 'recall':
      return recall(action, setting);
    case 'forget':
      return forget(action, setting);
    case 'plan':
      return plan(action, setting);
    case 'delegate':
      return delegate(action, setting);
    default:
      return action satisfies never;
  }
}
type Of<A extends Action['do']> = Extract<Action, { do: A }>;

function* list({ dir, source }: Of<'list'>, setting: Setting): Flow {
  const path = dir === null ? setting.folder || '/' : absolute(dir, setting);
  const [listing] = yield [{ name: TOOLS.ls.name, args: { path } }];
  if (!succeeded(listing)) return problem(listing, source, setting);
  const names = pathsIn(listing.text).map((entry) => lastPart(entry));
  return done(setting.words.listed(dir ?? lastPart(path), names));
}

function* read({ file, fromLine, source }: Of<'read'>, setting: Setting): Flow {
  const args = { file_path: absolute(file, setting), ...(fromLine === null ? {} : { offset: fromLine - 1 }) };
  const [page] = yield [{ name: TOOLS.readFile.name, args }];
  if (!succeeded(page)) return problem(page, source, setting);
  return done(setting.words.read(file, linesIn(page.text).length));
}

function* find({ text, dir, source }: Of<'find'>, setting: Setting): Flow {
  const path = dir === null ? setting.folder || '/' : absolute(dir, setting);
  const [hits] = yield [{ name: TOOLS.grep.name, args: { pattern: text, path, output_mode: 'content' } }];
  if (!succeeded(hits)) return problem(hits, source, setting);
  const matches = matchesIn(hits.text);
  const [first] = matches;
  const place = first === undefined ? null : { path: relative(first.path, setting), line: first.line };
  return done(setting.words.found(text, matches.length, place, omittedIn(hits.text)));
}

function* files({ glob, source }: Of<'files'>, setting: Setting): Flow {
  const [hits] = yield [{ name: TOOLS.glob.name, args: { pattern: glob, path: setting.folder || '/' } }];
  if (!succeeded(hits)) return problem(hits, source, setting);
  return done(
    setting.words.matched(
      glob,
      pathsIn(hits.text).map((path) => relative(path, setting)),
    ),
  );
}

function* create({ file, text, source }: Of<'create'>, setting: Setting): Flow {
  const [written] = yield [
    { name: TOOLS.writeFile.name, args: { file_path: absolute(file, setting), content: text } },
  ];
  return succeeded(written)
    ? done(setting.words.created(ranOn(written, file, setting)))
    : problem(written, source, setting);
}

function* replace({ from, to, file, all, source }: Of<'replace'>, setting: Setting): Flow {
  const file_path = absolute(file, setting);
  const [page] = yield [{ name: TOOLS.readFile.name, args: { file_path } }];
  if (!succeeded(page)) return problem(page, source, setting);
  const args = { file_path, old_string: from, new_string: to, replace_all: all };
  const [edited] = yield [{ name: TOOLS.editFile.name, args }];
  if (!succeeded(edited)) return problem(edited, source, setting);
  const { old_string = from, new_string = to } = edited.call.args;
  return done(setting.words.replaced(String(old_string), String(new_string), ranOn(edited, file, setting)));
}

function* remove(path: string, source: string, setting: Setting, say: (path: string) => string): Flow {
  const [deleted] = yield [{ name: TOOLS.deleteFile.name, args: { file_path: path } }];
  return succeeded(deleted)
    ? done(say(String(deleted.call.args.file_path ?? path)))
    : problem(deleted, source, setting);
}

function* run({ command }: Of<'run'>, setting: Setting): Flow {
  const { words } = setting;
  const [ended] = yield [{ name: TOOLS.execute.name, args: { command } }];
  const ran = String(ended?.call.args.command ?? command);
  if (!succeeded(ended)) {
    if (DISCARDED.test(ended?.text ?? '')) return { ok: false, clause: words.discarded(ran) };
    if (ended?.exitCode != null) return { ok: false, clause: words.exited(ran, ended.exitCode) };
    if (ended?.state === 'failed' && /timed out/iu.test(ended.text))
      return { ok: false, clause: words.timedOut(ran) };
    return problem(ended, ran, setting);
  }
  return done(
    ended.exitCode === null
      ? words.answered(ran, oneLine(ended.text).replace(/[.。]$/u, ''))
      : words.ran(ran, ended.exitCode),
  );
}

/** Appends to an existing memory and never overwrites it. */
function* remember({ name, text, source }: Of<'remember'>, setting: Setting): Flow {
  const { words } = setting;
  const file = memoryFile(name ?? nameFromText(text)) ?? `${MEMORIES}note.md`;
  const [known] = yield [{ name: TOOLS.glob.name, args: { pattern: lastPart(file), path: MEMORIES } }];
  if (!succeeded(known)) return problem(known, source, setting);
  if (!pathsIn(known.text).includes(file)) {
    const [written] = yield [{ name: TOOLS.writeFile.name, args: { file_path: file, content: `${text}\n` } }];
    return succeeded(written)
      ? done(words.remembered(lastPart(file), false))
      : problem(written, source, setting);
  }
  const [page] = yield [{ name: TOOLS.readFile.name, args: { file_path: file, limit: MEMORY_LINES } }];
  if (!succeeded(page)) return problem(page, source, setting);
  const lines = linesIn(page.text);
  if (lines.every((line) => line === '')) {
    const [written] = yield [{ name: TOOLS.writeFile.name, args: { file_path: file, content: `${text}\n` } }];
    return succeeded(written)
      ? done(words.remembered(lastPart(file), true))
      : problem(written, source, setting);
  }
  if (/^\[Read /mu.test(page.text)) return { ok: false, clause: words.nothingToAppend(lastPart(file)) };
  const end = uniqueEnd(lines);
  const args = { file_path: file, old_string: end, new_string: `${end}\n${text}`, replace_all: false };
  const [edited] = yield [{ name: TOOLS.editFile.name, args }];
  return succeeded(edited) ? done(words.remembered(lastPart(file), true)) : problem(edited, source, setting);
}

function* recall({ about, source }: Of<'recall'>, setting: Setting): Flow {
  const { words } = setting;
  const searches: PlannedCall[] =
    about === null
      ? [{ name: TOOLS.ls.name, args: { path: MEMORIES } }]
      : [
          {
            name: TOOLS.grep.name,
            args: { pattern: about, path: MEMORIES, output_mode: 'files_with_matches' },
          },
          ...(slugOf(about) === ''
            ? []
            : [{ name: TOOLS.glob.name, args: { pattern: `*${slugOf(about)}*`, path: MEMORIES } }]),
        ];
  const found = yield searches;
  const wrong = found.find((one) => !succeeded(one));
  if (wrong !== undefined) return problem(wrong, source, setting);
  const paths = [...new Set(found.flatMap(({ text }) => pathsIn(text)))].filter(
    (path) => !path.endsWith('/'),
  );
  if (paths.length === 0) return done(words.recalled([], about));

  const chosen = paths.slice(0, MAX_MEMORIES);
  const pages = yield chosen.map((file_path) => ({ name: TOOLS.readFile.name, args: { file_path } }));
  const unread = pages.find((one) => !succeeded(one));
  if (unread !== undefined) return problem(unread, source, setting);
  const quoted = pages.map((page, index) => quote(lastPart(chosen[index] ?? ''), linesIn(page.text)));
  return { ...done(words.recalled(paths.map(lastPart), about)), below: quoted.join('\n\n') };
}

function forget({ name, source }: Of<'forget'>, setting: Setting): Flow {
  return remove(memoryFile(name) ?? `${MEMORIES}${name}`, source, setting, () => setting.words.forgot(name));
}

function* plan({ items, source }: Of<'plan'>, setting: Setting): Flow {
  const todos = items.map((content) => ({ content, status: 'pending' }));
  const [written] = yield [{ name: TOOLS.writeTodos.name, args: { todos } }];
  return succeeded(written) ? done(setting.words.planned(items)) : problem(written, source, setting);
}

function* delegate({ request, source }: Of<'delegate'>, setting: Setting): Flow {
  const { words } = setting;
  const [answer] = yield [
    { name: TOOLS.task.name, args: { description: request, subagent_type: 'general-purpose' } },
  ];
  if (!succeeded(answer)) return problem(answer, source, setting);
  if (STOPPED.test(answer.text)) {
    return { ok: false, clause: words.failed(source, oneLine(answer.text)) };
  }
  return { ...done(words.delegated(request)), below: quote(null, answer.text.trim().split('\n')) };
}

const done = (clause: string): Report => ({ ok: true, clause });
const succeeded = (outcome: Outcome | undefined): outcome is Outcome & { state: 'done' } =>
  outcome?.state === 'done';

/** The clause for the failure of one call. */
function problem(outcome: Outcome | undefined, what: string, { words }: Setting): Report {
  const clause = () => {
    switch (outcome?.state) {
      case 'rejected':
        return words.rejected(what, /The person said: (.+)/su.exec(outcome.text)?.[1]?.trim() ?? null);
      case 'no_tool':
        return words.noTool(what, outcome.call.name);
      case 'failed':
        if (outcome.refused !== undefined) return words.refused(what, outcome.refused);
        return words.failed(what, oneLine(outcome.text.replace(/^Error: /u, '')));
      default:
        return words.noResult(what);
    }
  };
  return { ok: false, clause: clause() };
}

/** The file that a call used, under the person's name for it, unless they changed it in the approval. */
function ranOn(outcome: Outcome, named: string, setting: Setting): string {
  const path = outcome.call.args.file_path;
  return typeof path !== 'string' || path === absolute(named, setting) ? named : relative(path, setting);
}

/** File names are relative to the project folder. The tools refuse `..`. */
function absolute(name: string, { folder }: Setting): string {
  if (name.startsWith('/') || /^[a-z]:[\\/]/iu.test(name)) return name;
  const bare = name.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, '');
  return bare === '' || bare === '.' ? folder || '/' : `${folder}/${bare}`;
}

const relative = (path: string, { folder }: Setting) =>
  folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

/** The last name of a path; a directory keeps its trailing slash. */
const lastPart = (path: string) => /[^/]+\/?$/u.exec(path)?.[0] ?? path;

const oneLine = (text: string) => {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? '';
  return line.length > 200 ? `${line.slice(0, 199)}…` : line.trim();
};

/** The fewest last lines that occur only once in the file. */
function uniqueEnd(lines: readonly string[]): string {
  const whole = lines.join('\n').replace(/\n+$/u, '');
  const kept = whole.split('\n');
  for (let from = kept.length - 1; from > 0; from -= 1) {
    const end = kept.slice(from).join('\n');
    if (end.trim() !== '' && whole.indexOf(end) === whole.lastIndexOf(end)) return end;
  }
  return whole;
}

const quote = (title: string | null, lines: readonly string[]) =>
  [...(title === null ? [] : [`**${title}**`, '']), ...lines.map((line) => `> ${line}`.trimEnd())].join('\n');
