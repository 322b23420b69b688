import type { ToolCall } from '@contract/conversation';
import { Questions } from '@contract/shared/questions';
import { Todo } from '@contract/shared/todo';
import type { LucideIcon } from 'lucide-react';
import {
  BookMarked,
  Bot,
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
import type { Translate } from '../../i18n';

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

/** What a call does or did, from its display and arguments. An unknown tool appears under its name. */
export function toolWords(call: ToolCall, mount: string, t: Translate): ToolWords {
  const { args } = call;
  const done = call.status === 'done' || (call.status === 'failed' && !wasRefused(call));
  const path = shortPath(text(args.file_path ?? args.path), mount);
  const place = path === '' || path === '/' ? t('tools.folder') : path;
  const memory = call.memory;
  if (memory && call.status === 'done') {
    const verb = { created: t('tools.remembered'), changed: t('tools.rewrote'), deleted: t('tools.forgot') }[
      memory.change
    ];
    return { icon: BookMarked, verb, object: memory.path.replace(/^\/memories\//, '') };
  }
  switch (call.display) {
    case 'read':
      return {
        icon: FileText,
        verb: done ? t('tools.read') : t('tools.reading'),
        object: place,
        ...lines(args, t),
      };
    case 'list':
      return { icon: FolderTree, verb: done ? t('tools.list') : t('tools.listing'), object: place };
    case 'search':
      return {
        icon: Search,
        verb: done ? t('tools.find') : t('tools.finding'),
        object: `“${firstLine(text(args.pattern))}”`,
        note: t('tools.inside', { place }),
      };
    case 'match':
      return {
        icon: FileSearch,
        verb: done ? t('tools.match') : t('tools.matching'),
        object: text(args.pattern),
      };
    case 'write':
      return { icon: FilePlus2, verb: done ? t('tools.write') : t('tools.writing'), object: place };
    case 'edit':
      return { icon: FilePen, verb: done ? t('tools.edit') : t('tools.editing'), object: place };
    case 'delete':
      return { icon: Trash2, verb: done ? t('tools.delete') : t('tools.deleting'), object: place };
    case 'command':
      if (args.background === true) {
        return {
          icon: SquareTerminal,
          verb: done ? t('tools.start') : t('tools.starting'),
          object: firstLine(text(args.command)),
        };
      }
      return {
        icon: SquareTerminal,
        verb: done ? t('tools.run') : t('tools.running'),
        object: firstLine(text(args.command)),
      };
    case 'jobs':
      return {
        icon: SquareTerminal,
        verb: done ? t('tools.listJobs') : t('tools.listingJobs'),
        object: '',
      };
    case 'job-output':
      return {
        icon: SquareTerminal,
        verb: done ? t('tools.lookAtJob') : t('tools.lookingAtJob'),
        object: text(args.job_id),
      };
    case 'stop-job':
      return {
        icon: SquareTerminal,
        verb: done ? t('tools.stopJob') : t('tools.stoppingJob'),
        object: text(args.job_id),
      };
    case 'plan': {
      const todos = Todo.array().safeParse(args.todos).data ?? [];
      const finished = todos.filter((todo) => todo.status === 'completed').length;
      return {
        icon: ListTodo,
        verb: done ? t('tools.plan') : t('tools.planning'),
        object: '',
        note: t('tools.planCount', { done: finished, total: todos.length }),
      };
    }
    case 'fetch':
      return {
        icon: Globe,
        verb: done ? t('tools.fetch') : t('tools.fetching'),
        object: firstLine(text(args.url)),
      };
    case 'ask': {
      const [first, ...rest] = Questions.safeParse(args.questions).data ?? [];
      return {
        icon: MessageCircleQuestionMark,
        verb: done ? t('tools.ask') : t('tools.asking'),
        object: firstLine(first?.question ?? ''),
        ...(rest.length === 0 ? {} : { note: t('tools.moreQuestions', { count: rest.length }) }),
      };
    }
    case 'delegate':
      return {
        icon: Bot,
        verb: done ? t('tools.delegate') : t('tools.delegating'),
        object: firstLine(text(args.description)),
      };
    default:
      return { icon: Wrench, verb: done ? t('tools.call') : t('tools.calling'), object: call.name };
  }
}

function lines(args: Record<string, unknown>, t: Translate): { note?: string } {
  const offset = typeof args.offset === 'number' ? args.offset : undefined;
  const limit = typeof args.limit === 'number' ? args.limit : undefined;
  if (offset === undefined && limit === undefined) return {};
  const from = (offset ?? 0) + 1;
  return limit === undefined ? {} : { note: t('tools.lines', { from, to: from + limit - 1 }) };
}
