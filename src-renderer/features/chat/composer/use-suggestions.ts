import type { FileEntry, MemoryEntry, TerminalInfo } from '@contract/app';
import type { ComposerCommand, OfferedResource } from '@contract/commands/composer';
import type { ProjectId, ThreadId } from '@contract/ids';
import { useEffect, useState } from 'react';
import { type Translate, useT } from '../../../i18n';
import { call, onHostEvent, useApp } from '../../../link';
import { foldersAmong, ranked, type Token } from './completion';
import { aboutCommand } from './own-skills';

export type Suggestion =
  | { kind: 'file' | 'folder'; key: string; name: string }
  | { kind: 'memory'; key: string; name: string; about: string }
  | { kind: 'terminal'; key: string; name: string; terminal: TerminalInfo }
  | { kind: 'changes'; key: string; name: string }
  | { kind: 'resource'; key: string; name: string; resource: OfferedResource }
  | { kind: 'command'; key: string; name: string; command: ComposerCommand };

export interface SuggestionPlace {
  threadId: ThreadId;
  projectId: ProjectId;
  /** The folder as the agent's tools name it. */
  mount: string;
}

/** Maximum number of suggestions of each kind. */
const MAX_FILES = 30;
const MAX_FOLDERS = 5;
const MAX_OTHERS = 6;
/** How many of these come before the attachable items if the query is empty. */
const FIRST = 5;
/** Milliseconds between two queries while the folder is being listed. */
const AGAIN = 200;

interface Found {
  suggestions: readonly Suggestion[];
  /** The suggestions are for this token, and not for an earlier text. */
  isAnswered: boolean;
  /** More suggestions may follow. */
  busy: boolean;
  /** Names of servers whose prompts are still loading. */
  coming?: readonly string[];
}

/** The suggestions for a token, best first; the last result stays until the next one arrives. */
export function useSuggestions(token: Token, place: SuggestionPlace): Found {
  const t = useT();
  const commands = useCommands(token.kind === '/', place.threadId);
  const names = useNames(token.kind === '@' ? token.query : null, place);
  const others = useOthers(token.kind === '@' ? token.query : null, place);
  const resources = useResources(token.kind === '@' ? token.query : null, place.projectId);
  if (token.kind === '/')
    return {
      suggestions: commandsFor(t, commands?.all ?? [], token.query),
      isAnswered: commands !== null,
      busy: commands === null || commands.coming.length > 0,
      coming: commands?.coming ?? [],
    };
  // If the query is empty, some of each kind: the list hints at what is available.
  const first = token.query === '' ? names.suggestions.slice(0, FIRST) : names.suggestions;
  return {
    suggestions: [...first, ...others, ...resources, ...names.suggestions.slice(first.length)],
    isAnswered: names.query === token.query,
    busy: names.busy,
  };
}

type CommandSuggestion = Extract<Suggestion, { kind: 'command' }>;

/** Matches by name, then by the words of the description, which starts with a name in each language. */
function commandsFor(t: Translate, commands: readonly CommandSuggestion[], query: string): Suggestion[] {
  const named = ranked(commands, query, ({ name }) => name);
  const wanted = query.toLowerCase();
  const described = commands.filter(
    (one) => !named.includes(one) && aboutCommand(t, one.command).toLowerCase().startsWith(wanted),
  );
  return [...named, ...described];
}

interface Commands {
  all: readonly CommandSuggestion[];
  coming: readonly string[];
}

/** Asks now, and again when a server that starts may bring more. Each time aborts the one before. Returns what stops it. */
function askWithServers(ask: (signal: AbortSignal) => Promise<void>): () => void {
  let controller = new AbortController();
  const again = () => {
    controller.abort();
    controller = new AbortController();
    void ask(controller.signal);
  };
  again();
  const stop = onHostEvent('mcp.changed', again);
  return () => {
    stop();
    controller.abort();
  };
}

function useCommands(isWanted: boolean, threadId: ThreadId): Commands | null {
  const [commands, setCommands] = useState<Commands | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    return askWithServers(async (signal) => {
      const answer = await call('composer.commands', { threadId }, signal);
      if (signal.aborted) return;
      const { commands: found, coming } = answer.ok ? answer.value : { commands: [], coming: [] };
      const all = found.map((command): CommandSuggestion => {
        const { name } = command;
        return { kind: 'command', key: `/${name}`, name, command };
      });
      setCommands({ all, coming });
    });
  }, [isWanted, threadId]);
  return commands;
}

interface Names {
  suggestions: readonly Suggestion[];
  /** What these match; null before the first answer. */
  query: string | null;
  busy: boolean;
}

/** Files, folders and memories; null requests nothing. */
function useNames(query: string | null, { projectId, threadId, mount }: SuggestionPlace): Names {
  const [found, setFound] = useState<Names>({ suggestions: [], query: null, busy: true });
  useEffect(() => {
    if (query === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const slash = query.lastIndexOf('/');
      const folder = query.slice(0, Math.max(0, slash));
      const isMemory = query.startsWith('/');
      const [listed, searched, memories] = await Promise.all([
        // One level by prefix, as a path is typed; otherwise anything by parts of its name.
        isMemory || (slash < 0 && query !== '')
          ? null
          : call(
              'files.list',
              { projectId, threadId, path: folder === '' ? mount : `${mount}/${folder}` },
              signal,
            ),
        isMemory || query === '' ? null : call('files.find', { projectId, query, limit: 200 }, signal),
        call('memories.list', { projectId }, signal),
      ]);
      if (signal.aborted) return;
      const below = listed?.ok ? entriesOf(listed.value.entries, folder, query.slice(slash + 1)) : [];
      // In an existing folder, only its contents, and no fuzzy matches.
      const isInside = listed?.ok === true && query.endsWith('/');
      const files = searched?.ok && !isInside ? searched.value.matches.map(({ name }) => name) : [];
      const named: Suggestion[] = [
        ...foldersAmong(files, query)
          .slice(0, MAX_FOLDERS)
          .map((name) => suggestion('folder', `${name}/`)),
        ...files.map((name) => suggestion('file', name)),
      ];
      const seen = new Set(below.map(({ key }) => key));
      const all = [...below, ...named.filter(({ key }) => !seen.has(key))].slice(0, MAX_FILES);
      const busy = searched?.ok === true && searched.value.listing;
      const kept = memories.ok ? memoriesOf(memories.value.memories, query) : [];
      setFound({ suggestions: [...all, ...kept], query, busy });
      if (busy) timer = setTimeout(() => void ask(), AGAIN);
    };
    void ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [query, projectId, threadId, mount]);
  return found;
}

const suggestion = (kind: 'file' | 'folder', name: string): Suggestion => ({ kind, key: name, name });

function entriesOf(entries: readonly FileEntry[], folder: string, begin: string): Suggestion[] {
  const path = folder === '' ? '' : `${folder}/`;
  return ranked(entries, begin, ({ name }) => name)
    .slice(0, MAX_FILES)
    .map(({ name, kind }) =>
      kind === 'directory' ? suggestion('folder', `${path}${name}/`) : suggestion('file', `${path}${name}`),
    );
}

function memoriesOf(memories: readonly MemoryEntry[], query: string): Suggestion[] {
  const wanted = query.replace(/^\/(?:memories\/?)?/u, '');
  return ranked(memories, wanted, ({ path }) => path.slice(path.lastIndexOf('/') + 1))
    .slice(0, MAX_OTHERS)
    .map(({ path, excerpt }) => ({ kind: 'memory', key: path, name: path, about: excerpt }));
}

/** Resources of MCP servers by name, or by `server:name`. They are attached. */
function useResources(query: string | null, projectId: ProjectId): Suggestion[] {
  const isWanted = query !== null;
  const [resources, setResources] = useState<readonly OfferedResource[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    return askWithServers(async (signal) => {
      const answer = await call('composer.resources', { projectId }, signal);
      if (!signal.aborted && answer.ok) setResources(answer.value.resources);
    });
  }, [isWanted, projectId]);
  if (query === null) return [];
  const all = resources.map((resource): Suggestion => {
    const { serverId, uri, name } = resource;
    return { kind: 'resource', key: `resource ${serverId} ${uri}`, name, resource };
  });
  const full = (one: Suggestion) =>
    one.kind === 'resource' ? `${one.resource.server}:${one.name}` : one.name;
  const named = ranked(all, query, ({ name }) => name);
  const others = ranked(all, query, full).filter((one) => !named.includes(one));
  return [...named, ...others].slice(0, MAX_OTHERS);
}

/** Suggestions that are attached rather than mentioned: the changes, and terminal output, newest first. */
function useOthers(query: string | null, { threadId, projectId }: SuggestionPlace): Suggestion[] {
  const t = useT();
  const terminals = useApp((app) => app.terminals);
  if (query === null) return [];
  const changes: Suggestion = { kind: 'changes', key: 'changes', name: t('chat.attachChanges') };
  const shown = terminals
    .filter((one) => one.threadId === threadId || (one.kind === 'person' && one.projectId === projectId))
    .sort((a, b) => b.startedAt - a.startedAt)
    .map((terminal): Suggestion => {
      const [name = ''] = terminal.command.split('\n');
      return { kind: 'terminal', key: `terminal ${terminal.id}`, name, terminal };
    });
  return ranked([changes, ...shown], query, ({ name, kind }) =>
    kind === 'terminal' ? `terminal ${name}` : name,
  )
    .concat(query === '' ? [] : ranked(shown, query, ({ name }) => name))
    .filter((one, index, all) => all.findIndex(({ key }) => key === one.key) === index)
    .slice(0, MAX_OTHERS);
}
