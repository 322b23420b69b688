import type { ToolCall } from '@contract/conversation';
import { Questions } from '@contract/shared/questions';
import { Todo } from '@contract/shared/todo';
import type { LucideIcon } from 'lucide-react';
import {
  BookMarked,
  Bot,
  Cloud,
  FilePen,
  FilePlus2,
  FileSearch,
  FileText,
  FolderTree,
  Globe,
  ListTodo,
  MessageCircleQuestionMark,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
} from 'lucide-react';
import type { Translate } from '../../../i18n';

/** A call in plain words: "Read" · "src/sum.ts" · "lines 1–40". */
export interface ToolWords {
  icon: LucideIcon;
  verb: string;
  object: string;
  /** Shown after the object, in the secondary color. */
  note?: string;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The path as users write it: relative inside the project folder (`mount`), absolute elsewhere. */
function shortPath(path: string, mount: string): string {
  if (path === mount) return '';
  return path.startsWith(`${mount}/`) ? path.slice(mount.length + 1) : path;
}

/** The first line of `value`, with an ellipsis if there is more. */
function firstLine(value: string): string {
  const [line = '', ...rest] = value.trim().split('\n');
  return rest.length > 0 ? `${line} …` : line;
}

/** It failed before it started: refused, or called incorrectly. It had no effect. */
export const wasRefused = (call: ToolCall): boolean =>
  call.status === 'failed' && call.startedAt === undefined;

/** If it fails, it did nothing: "Wrote" would be untrue. */
const ATOMIC: ReadonlySet<unknown> = new Set(['read', 'list', 'search', 'match', 'write', 'edit', 'delete']);
const isAtomic = ({ display }: ToolCall): boolean => ATOMIC.has(display);

/** The kinds of tools: the icon, and the verb after and during the call. */
const KINDS = {
  read: { icon: FileText, done: 'tools.read', doing: 'tools.reading' },
  list: { icon: FolderTree, done: 'tools.list', doing: 'tools.listing' },
  search: { icon: Search, done: 'tools.find', doing: 'tools.finding' },
  match: { icon: FileSearch, done: 'tools.match', doing: 'tools.matching' },
  write: { icon: FilePlus2, done: 'tools.write', doing: 'tools.writing' },
  edit: { icon: FilePen, done: 'tools.edit', doing: 'tools.editing' },
  delete: { icon: Trash2, done: 'tools.delete', doing: 'tools.deleting' },
  command: { icon: SquareTerminal, done: 'tools.run', doing: 'tools.running' },
  jobs: { icon: SquareTerminal, done: 'tools.listJobs', doing: 'tools.listingJobs' },
  'job-output': { icon: SquareTerminal, done: 'tools.lookAtJob', doing: 'tools.lookingAtJob' },
  'stop-job': { icon: SquareTerminal, done: 'tools.stopJob', doing: 'tools.stoppingJob' },
  plan: { icon: ListTodo, done: 'tools.plan', doing: 'tools.planning' },
  fetch: { icon: Globe, done: 'tools.fetch', doing: 'tools.fetching' },
  ask: { icon: MessageCircleQuestionMark, done: 'tools.ask', doing: 'tools.asking' },
  'remote-start': { icon: Cloud, done: 'tools.remoteStart', doing: 'tools.remoteStarting' },
  'remote-check': { icon: Cloud, done: 'tools.remoteCheck', doing: 'tools.remoteChecking' },
  'remote-update': { icon: Cloud, done: 'tools.remoteUpdate', doing: 'tools.remoteUpdating' },
  'remote-cancel': { icon: Cloud, done: 'tools.remoteCancel', doing: 'tools.remoteCancelling' },
  'remote-list': { icon: Cloud, done: 'tools.remoteList', doing: 'tools.remoteListing' },
  delegate: { icon: Bot, done: 'tools.delegate', doing: 'tools.delegating' },
  background: { icon: SquareTerminal, done: 'tools.start', doing: 'tools.starting' },
  other: { icon: Wrench, done: 'tools.call', doing: 'tools.calling' },
} as const;

function kindOf({ display, args }: ToolCall): (typeof KINDS)[keyof typeof KINDS] {
  if (display === 'command' && args.background === true) return KINDS.background;
  return KINDS[display === undefined || display === 'compact' ? 'other' : display];
}

/** What a call does or did, from its display and arguments. An unknown tool appears under its name. */
export function toolWords(call: ToolCall, mount: string, t: Translate): ToolWords {
  const { memory } = call;
  if (memory && call.status === 'done') {
    const verb = { created: t('tools.remembered'), changed: t('tools.rewrote'), deleted: t('tools.forgot') }[
      memory.change
    ];
    return { icon: BookMarked, verb, object: memory.path.replace(/^\/memories\//, '') };
  }
  const { icon, done, doing } = kindOf(call);
  const isDone = call.status === 'done' || (call.status === 'failed' && !wasRefused(call) && !isAtomic(call));
  return { icon, verb: t(isDone ? done : doing), ...objectOf(call, mount, t) };
}

/** What a call acts on. */
function objectOf(call: ToolCall, mount: string, t: Translate): Pick<ToolWords, 'object' | 'note'> {
  const { args } = call;
  const path = shortPath(text(args.file_path ?? args.path), mount);
  const place = path === '' || path === '/' ? t('tools.folder') : path;
  switch (call.display) {
    case 'read':
      return { object: place, ...lines(args, t) };
    case 'list':
      return { object: place };
    case 'write':
    case 'edit':
    case 'delete':
      return { object: place, ...(call.scratch === true ? { note: t('tools.inScratch') } : {}) };
    case 'search':
      return { object: `“${firstLine(text(args.pattern))}”`, note: t('tools.inside', { place }) };
    case 'match':
      return { object: text(args.pattern) };
    case 'command':
      return { object: firstLine(text(args.command)) };
    case 'jobs':
      return { object: '' };
    case 'job-output':
    case 'stop-job':
      return { object: text(args.job_id) };
    case 'plan': {
      const todos = Todo.array().safeParse(args.todos).data ?? [];
      const done = todos.filter((todo) => todo.status === 'completed').length;
      return { object: '', note: t('tools.planCount', { done, total: todos.length }) };
    }
    case 'fetch':
      return { object: firstLine(text(args.url)) };
    case 'ask': {
      const [first, ...rest] = Questions.safeParse(args.questions).data ?? [];
      return {
        object: firstLine(first?.question ?? ''),
        ...(rest.length === 0 ? {} : { note: t('tools.moreQuestions', { count: rest.length }) }),
      };
    }
    case 'delegate':
      return { object: firstLine(text(args.description)) };
    case 'remote-start':
      return { object: text(args.agentName), note: firstLine(text(args.description)) };
    case 'remote-update':
      return { object: firstLine(text(args.message)) };
    case 'remote-check':
    case 'remote-cancel':
    case 'remote-list':
      return { object: '' };
    default:
      return { object: call.name };
  }
}

function lines(args: Record<string, unknown>, t: Translate): { note?: string } {
  const offset = typeof args.offset === 'number' ? args.offset : undefined;
  const limit = typeof args.limit === 'number' ? args.limit : undefined;
  if (offset === undefined && limit === undefined) return {};
  const from = (offset ?? 0) + 1;
  return limit === undefined ? {} : { note: t('tools.lines', { from, to: from + limit - 1 }) };
}
