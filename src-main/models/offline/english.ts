import { REASONS } from '../../../src-renderer/i18n/errors';
import type { Language, Words } from './language';
import { code, cut } from './quoted';

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
const join = (parts: readonly string[]) =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
/** The first few names, and the number of the others. */
const some = (names: readonly string[], most = 8) =>
  names.length <= most
    ? join(names.map(code))
    : `${names.slice(0, most).map(code).join(', ')} and ${names.length - most} more`;

const starters = ['list files', 'read README.md', 'demo'];

const words: Words = {
  listed: (dir, names) =>
    names.length === 0
      ? `listed ${code(dir)}, which is empty`
      : `listed ${count(names.length, 'entry', 'entries')} in ${code(dir)} (${some(names)})`,
  read: (file, lines) => `read ${count(lines, 'line')} of ${code(file)}`,
  found: (text, matches, first, omitted) => {
    if (first === null && omitted === 0)
      return `looked for ${code(cut(text))} in all but hidden and ignored files and found nothing`;
    const protectedOnes = 'in protected files, which I read only after asking you';
    if (first === null) return `found ${code(cut(text))} ${count(omitted, 'time')}, only ${protectedOnes}`;
    const place = `${code(first.path)}${first.line === undefined ? '' : ` line ${first.line}`}`;
    return `found ${code(cut(text))} ${count(matches, 'time')}, first in ${place}${omitted === 0 ? '' : `, and ${omitted} more ${protectedOnes}`}`;
  },
  matched: (glob, files) =>
    files.length === 0
      ? `found no file that matches ${code(glob)}`
      : `found ${count(files.length, 'file')} for ${code(glob)} (${some(files)})`,
  created: (file) => `wrote ${code(file)}`,
  replaced: (from, to, file) => `replaced ${code(cut(from))} with ${code(cut(to))} in ${code(file)}`,
  deleted: (file) => `deleted ${code(file)}`,
  ran: (command, exitCode) =>
    exitCode === null ? `ran ${code(cut(command))}` : `ran ${code(cut(command))} (exit code ${exitCode})`,
  answered: (what, answer) => `took your answer to ${code(cut(what))}: ${cut(answer)}`,
  remembered: (file, added) =>
    added ? `added that to the memory ${code(file)}` : `remembered that as ${code(file)}`,
  recalled: (notes, about) =>
    notes.length === 0
      ? `found nothing in my memories${about === null ? '' : ` about ${code(cut(about))}`}`
      : `found ${count(notes.length, 'memory', 'memories')} (${some(notes)})`,
  forgot: (file) => `forgot ${code(file)}`,
  planned: (items) => `wrote down a plan of ${count(items.length, 'step')}`,
  delegated: (request) => `had a sub-agent do ${code(cut(request))}`,

  summary: (clauses) => `I ${join(clauses)}.`,
  refused: (what, why) => `${code(cut(what))} was refused (${REASONS.en.sentences(why)})`,
  failed: (what, reason) => `${code(cut(what))} did not work (${reason})`,
  discarded: (command) => `you discarded what ${code(cut(command))} changed`,
  exited: (command, exitCode) => `${code(cut(command))} ended with exit code ${exitCode}`,
  timedOut: (command) => `${code(cut(command))} took too long and was ended`,
  rejected: (what, message) =>
    `you rejected ${code(cut(what))}${message === null ? '' : ` ("${cut(message)}")`}, so it was not done`,
  noResult: (what) => `${code(cut(what))} was cancelled before it finished`,
  noTool: (what, tool) => `${code(cut(what))} needs the tool ${code(tool)}, which is not available here`,
  nothingToAppend: (file) => `the memory ${code(file)} could not be read as text, so nothing was added to it`,
  stopped: ({ step, steps, failures, done, left }) =>
    [
      `Stopped${steps > 1 ? ` at step ${step} of ${steps}` : ''}: ${join(failures)}`,
      done.length > 0 ? `; before that I ${join(done)}` : '',
      left.length > 0 ? `; not started: ${join(left.map((one) => code(cut(one))))}` : '',
      '.',
    ].join(''),
  help: (rows) =>
    [
      'I am the offline assistant. I am not a language model: I understand a small set of requests and turn each into ',
      'the tool calls a model would make, so that everything in Deepdesk can be tried without a key or a network.\n\n',
      '| Say | What happens |\n| --- | --- |\n',
      ...rows.map(({ request, what }) => `| \`${request}\` | ${what} |\n`),
      '\nPut `then` between two requests, or write each on a separate line, to have them done one after the other; ',
      'put ` + ` between them to have them done in parallel. To talk to a language model, choose one in the model picker.',
    ].join(''),
  notUnderstood: (unclear, near, whole) =>
    [
      `I did not understand ${code(cut(unclear))}${whole ? '.' : ', so nothing was done.'} `,
      near.length > 0
        ? 'Did you mean:\n\n'
        : 'I am the offline assistant, not a language model, and know only a few requests. Try one:\n\n',
      ...(near.length > 0 ? near : starters).map((request) => `- ${code(request)}\n`),
      `\nWrite ${code('help')} to see everything that I understand.`,
    ].join(''),
};

export const english: Language = {
  id: 'en',
  space: 'some',
  thenWord: /,?\s+(?:and\s+)?then\s+/iuy,
  opening: /^\s*(?:(?:[-*•]|\d+[.)])\s+)?(?:(?:please|now|first|next|finally|can you|could you)[, ]\s*)*/iu,
  words,
  starters,
  examples: [
    {
      action: 'list',
      request: 'list files in notes',
      what: 'lists a folder',
      cues: ['list', 'show', 'dir', 'folder', 'tree'],
    },
    {
      action: 'read',
      request: 'read README.md from line 3',
      what: 'reads a file',
      cues: ['read', 'open', 'show', 'view', 'print', 'explain', 'summarize'],
    },
    {
      action: 'find',
      request: 'find "total" in src',
      what: 'searches in files',
      cues: ['find', 'search', 'grep', 'where', 'locate'],
    },
    {
      action: 'files',
      request: 'files *.md',
      what: 'finds files by name',
      cues: ['files', 'glob', 'which'],
    },
    {
      action: 'create',
      request: 'create hello.txt with "Hello\\nWorld"',
      what: 'writes a file',
      cues: ['create', 'write', 'make', 'add', 'new', 'save'],
    },
    {
      action: 'replace',
      request: 'replace "Hello" with "Good day" in hello.txt',
      what: 'edits a file',
      cues: ['replace', 'edit', 'change', 'fix', 'update', 'rename', 'modify'],
    },
    {
      action: 'delete',
      request: 'delete hello.txt',
      what: 'deletes a file',
      cues: ['delete', 'remove', 'erase', 'rm'],
    },
    {
      action: 'run',
      request: 'run node --test',
      what: 'runs a command in the terminal',
      cues: ['run', 'execute', 'start', 'test', 'tests', 'build', 'npm', 'git', 'node'],
    },
    {
      action: 'remember',
      request: 'remember tea: I drink green tea',
      what: 'writes a memory',
      cues: ['remember', 'note', 'memorize'],
    },
    {
      action: 'recall',
      request: 'what do you remember about tea',
      what: 'looks in the memories',
      cues: ['recall', 'memory', 'memories'],
    },
    { action: 'forget', request: 'forget tea', what: 'deletes a memory', cues: ['forget'] },
    {
      action: 'plan',
      request: 'plan: read the notes; fix the test; tell me',
      what: 'writes a plan',
      cues: ['plan', 'todo', 'steps'],
    },
    {
      action: 'delegate',
      request: 'delegate: read README.md',
      what: 'hands a request to a sub-agent',
      cues: ['delegate', 'agent', 'subagent'],
    },
    {
      action: 'demo',
      request: 'demo',
      what: 'shows several steps in a row',
      cues: ['demo', 'example', 'tour'],
    },
  ],
  grammar: [
    ['list', '(list|show) [me] [all] [the] files [(in|of|under) {dir}]', 'ls [{dir}]'],
    ['read', '(read|open|cat) [the file] {file} [from line {line}]'],
    ['files', 'files [(matching|named)] {glob}', '(find|list) files (matching|named) {glob}', 'glob {glob}'],
    ['find', '(find|search for|grep) {text} [in {dir}]'],
    ['create', '(create|write) [(a|the|a new)] [file] {file} (with|containing) {text}'],
    [
      'replace',
      'replace (every|all) {from} with {to} in {file}',
      'replace {from} with {to} in {file}',
      'in {file} replace {from} with {to}',
    ],
    ['delete', '(delete|remove) [the] [(file|folder)] {file}'],
    ['run', '(run|execute) {rest}', '$ {rest}'],
    ['recall', 'what do you (remember|know) [about {text}]'],
    ['remember', 'remember:~{rest}', 'remember {rest}'],
    ['forget', 'forget [about] {file}'],
    ['plan', 'plan~:~{rest}', 'plan~：~{rest}'],
    ['delegate', 'delegate~:~{rest}', 'delegate~：~{rest}'],
    ['demo', '[run] [the] demo'],
  ],
};
