import type { Project, ThreadSummary } from '@contract/app';
import type { ProjectId } from '@contract/ids';
import { FileText, FolderClosed, MessageSquareText, SlidersHorizontal } from 'lucide-react';
import { useMemo } from 'react';
import {
  ActionIcon,
  type ActionId,
  actionIds,
  otherWords,
  Palette,
  type PaletteItem,
  type Runs,
} from '../features/actions';
import { translator, useT } from '../i18n';
import { call, openFile, type SettingsSection, useApp } from '../link';
import { selectProject, selectThread, useUi } from './ui-store';
import { useKeys } from './use-actions';

const words = { en: translator('en'), zh: translator('zh') };
const close = () => useUi.setState({ palette: false });

/** Settings rows by section, so that you can find them by their text. */
const ROWS = [
  ['models', 'settings.models'],
  ['models', 'settings.key'],
  ['models', 'settings.address'],
  ['spending', 'settings.spending'],
  ['instructions', 'settings.instructions'],
  ['mcp', 'settings.mcp'],
  ['hooks', 'settings.hooks'],
  ['places', 'settings.places'],
  ['agents', 'settings.agents'],
  ['rules', 'settings.rules'],
  ['sandbox', 'settings.sandbox'],
  ['appearance', 'settings.appearance'],
  ['appearance', 'settings.theme'],
  ['appearance', 'settings.contrast'],
  ['appearance', 'settings.fontSize'],
  ['appearance', 'settings.motion'],
  ['appearance', 'settings.language'],
  ['appearance', 'settings.tray'],
  ['notifications', 'settings.notifications'],
  ['notifications', 'settings.approvalNotifications'],
  ['notifications', 'settings.turnNotifications'],
  ['shortcuts', 'settings.shortcuts'],
  ['usage', 'settings.usage'],
  ['dataPage', 'settings.dataPage'],
  ['dataPage', 'data.backup'],
  ['about', 'settings.about'],
  ['about', 'settings.data'],
] as const satisfies readonly (readonly [SettingsSection, string])[];

interface ActionPaletteProps {
  runs: Runs;
  /** The project whose files are searched; null: none. */
  projectId: ProjectId | null;
}

/** Maximum files per query. */
const MAX_FILES = 20;

/** The palette that searches everything this window knows. */
export const ActionPalette = ({ runs, projectId }: ActionPaletteProps) => {
  const open = useUi((ui) => ui.palette);
  return open ? (
    <Filled runs={runs} projectId={projectId} />
  ) : (
    <Palette open={false} onClose={close} items={[]} />
  );
};

const Filled = ({ runs, projectId }: ActionPaletteProps) => {
  const t = useT();
  const keysOf = useKeys();
  const projects = useApp((app) => app.projects);
  const threads = useApp((app) => app.threads);
  const items = useMemo(
    () => [
      ...actionIds
        .filter((id) => id !== 'palette' && runs[id].when)
        .map((id) =>
          actionItem(id, runs, t(`actions.${id}`), runs[id].about ?? t('palette.action'), keysOf(id)),
        ),
      ...threadItems(threads, projects, (project) => t('palette.thread', { project }), t('sidebar.untitled')),
      ...projects.map(
        (project): PaletteItem => ({
          id: `project:${project.id}`,
          kind: 'project',
          label: project.name,
          about: t('palette.project'),
          also: project.folder,
          icon: <FolderClosed size={16} />,
          run: () => selectProject(project.id, null),
        }),
      ),
      ...ROWS.map(
        ([section, key]): PaletteItem => ({
          id: `setting:${key}`,
          kind: 'setting',
          label: t(key),
          about:
            key === `settings.${section}`
              ? t('palette.setting')
              : `${t('palette.setting')} · ${t(`settings.${section}`)}`,
          also: `${words.en(key)} ${words.zh(key)}`,
          icon: <SlidersHorizontal size={16} />,
          run: () => useUi.setState({ settings: section }),
        }),
      ),
    ],
    [runs, t, keysOf, projects, threads],
  );
  const findFiles = async (query: string, signal: AbortSignal): Promise<PaletteItem[]> => {
    if (projectId === null) return [];
    const result = await call('files.find', { projectId, query, limit: MAX_FILES }, signal);
    if (!result.ok) return [];
    return result.value.matches.map(({ path, name }) => ({
      id: `file:${path}`,
      kind: 'file',
      label: name,
      about: t('palette.file'),
      icon: <FileText size={16} />,
      run: () => openFile(path),
    }));
  };
  return <Palette open onClose={close} items={items} findFiles={findFiles} />;
};

const actionItem = (
  id: ActionId,
  runs: Runs,
  label: string,
  about: string,
  keys: string | undefined,
): PaletteItem => ({
  id: `action:${id}`,
  kind: 'action',
  label,
  about,
  keys,
  also: [words.en(`actions.${id}`), words.zh(`actions.${id}`), otherWords(id)].join(' '),
  icon: <ActionIcon id={id} />,
  run: () => runs[id].run(),
});

function threadItems(
  threads: readonly ThreadSummary[],
  projects: readonly Project[],
  about: (project: string) => string,
  untitled: string,
): PaletteItem[] {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  return [...threads]
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .map((thread) => ({
      id: `thread:${thread.id}`,
      kind: 'thread',
      label: thread.title || untitled,
      about: about(names.get(thread.projectId) ?? ''),
      icon: <MessageSquareText size={16} />,
      run: () => selectThread(thread.projectId, thread.id),
    }));
}
