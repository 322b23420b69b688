import type { ProjectId } from '@contract/ids';
import type { Reason } from '@contract/shared/reasons';
import { Search, SlidersHorizontal } from 'lucide-react';
import {
  Activity,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useT } from '../../i18n';
import { ProjectChoice, type SettingsSection } from '../../link';
import { Button, cx, Dialog, Input, useSelectedInView } from '../../ui';
import { AboutSection } from './about-section';
import { AppearanceSection } from './appearance-section';
import { DataSection } from './data-section';
import { InstructionsSection } from './instructions-section';
import { ModelsSection } from './models-section';
import { NotificationsSection } from './notifications-section';
import { SandboxSection } from './sandbox-section';
import { SecretsSection } from './secrets-section';
import { findSettings, type SettingRow } from './settings-index';
import { ChangedSettings, plain, SettingsResults } from './settings-results';
import { SpendingSection } from './spending-section';
import { UndoScope } from './undo-bar';
import { SHOWN, useJump } from './use-jump';

interface SettingsDialogProps {
  /** The current section; null keeps the dialog closed. */
  section: SettingsSection | null;
  /** Called with the chosen section, or with null when the dialog closes. */
  onSection(section: SettingsSection | null): void;
  /** The MCP section, from its own feature. */
  mcp: ReactNode;
  /** The hooks section, from its own feature. */
  hooks?: ReactNode;
  /** The places section, from its own feature. */
  places?: ReactNode;
  /** The section of the agents on servers, from its own feature. */
  agents?: ReactNode;
  /** The routines section, from its own feature. */
  routines?: ReactNode;
  /** The project that sections start with if they cover one project. */
  projectId: ProjectId | null;
  /** The rules section, from the approvals feature. */
  rules?: ReactNode;
  /** The host rules, also from the approvals feature. The argument is the reason why no host can be reached, or null. */
  hosts?(noHosts: Reason | null): ReactNode;
  /** The shortcuts section, from the actions feature. */
  shortcuts?: ReactNode;
  /** The usage section, from the usage feature. */
  usage?: ReactNode;
}

const sections = [
  'models',
  'spending',
  'usage',
  'instructions',
  'mcp',
  'hooks',
  'places',
  'agents',
  'routines',
  'rules',
  'sandbox',
  'appearance',
  'notifications',
  'shortcuts',
  'dataPage',
  'about',
] as const;

/** What the person sets once: models and keys, appearance and language, and information about the app. */
export const SettingsDialog = (props: SettingsDialogProps) => {
  const { section, onSection } = props;
  const t = useT();
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const jump = useJump(panel);
  const [query, setQuery] = useState('');
  const [onlyChanged, setOnlyChanged] = useState(false);
  const isSearching = query.trim() !== '';
  const show = (next: SettingsSection | null) => {
    setQuery('');
    setOnlyChanged(false);
    onSection(next);
    // Each section starts at its top.
    panel.current?.closest('[data-scrolls]')?.scrollTo({ top: 0 });
  };
  const jumpTo = (row: SettingRow) => {
    show(row.section);
    jump(plain(t, row.label));
  };
  return (
    <Dialog
      open={section !== null}
      onOpenChange={(open) => {
        if (!open) show(null);
      }}
      title={t('settings.title')}
      size="wide"
    >
      <div className="flex gap-6 pt-1">
        <div className="sticky top-1 flex max-h-dialog-list w-40 shrink-0 flex-col gap-2 self-start">
          <SearchField
            query={query}
            onQuery={(next) => {
              setQuery(next);
              setOnlyChanged(false);
            }}
            onJump={jumpTo}
          />
          <Button
            size="sm"
            variant="ghost"
            className="justify-start"
            aria-pressed={onlyChanged}
            icon={<SlidersHorizontal aria-hidden size={14} />}
            onClick={() => {
              setQuery('');
              setOnlyChanged(!onlyChanged);
            }}
          >
            {t('data.showChanged')}
          </Button>
          <SectionTabs id={id} section={section} onSection={show} />
        </div>
        <div
          ref={panel}
          id={`${id}-panel`}
          role="tabpanel"
          aria-labelledby={section === null ? undefined : `${id}-${section}`}
          className="min-w-0 grow"
        >
          {isSearching && <SettingsResults rows={findSettings(query)} onJump={jumpTo} />}
          {onlyChanged && <ChangedSettings onJump={jumpTo} />}
          <UndoScope>
            <div className={cx((isSearching || onlyChanged) && 'hidden')}>
              <Sections {...props} />
            </div>
          </UndoScope>
        </div>
      </div>
    </Dialog>
  );
};

interface SearchFieldProps {
  query: string;
  onQuery(query: string): void;
  onJump(row: SettingRow): void;
}

/** Finds settings; Enter goes to the first. */
const SearchField = ({ query, onQuery, onJump }: SearchFieldProps) => {
  const t = useT();
  return (
    <Input
      type="search"
      icon={<Search aria-hidden size={14} />}
      aria-label={t('data.search')}
      placeholder={t('data.search')}
      value={query}
      onChange={(event) => onQuery(event.target.value)}
      onKeyDown={(event) => {
        const [first] = findSettings(query);
        if (event.key === 'Enter' && first !== undefined) onJump(first);
        if (event.key !== 'Escape' || query === '') return;
        // Escape clears the search first; the next one closes the dialog.
        event.stopPropagation();
        onQuery('');
      }}
      data-captures-keys={query === '' ? undefined : true}
    />
  );
};

interface SectionTabsProps {
  /** Prefix of the ids of tabs and panel. */
  id: string;
  section: SettingsSection | null;
  onSection(section: SettingsSection): void;
}

const SectionTabs = ({ id, section, onSection }: SectionTabsProps) => {
  const t = useT();
  const list = useRef<HTMLDivElement>(null);
  useSelectedInView(list, section);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = section === null ? undefined : sections[sections.indexOf(section) + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onSection(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-orientation="vertical"
      aria-label={t('settings.sections')}
      // With large text in a small window, the list scrolls separately, and the chosen section stays visible.
      className="-m-1 flex min-h-0 flex-col gap-0.5 overflow-y-auto p-1"
      onKeyDown={onKeyDown}
    >
      {sections.map((other) => (
        <button
          key={other}
          id={`${id}-${other}`}
          type="button"
          role="tab"
          aria-selected={other === section}
          aria-controls={`${id}-panel`}
          // biome-ignore lint/a11y/noAutofocus: the dialog would focus its close button
          autoFocus={other === section}
          tabIndex={other === section ? 0 : -1}
          className={cx(
            'flex min-h-7 shrink-0 items-center rounded-control px-2 py-0.5 text-left',
            other === section ? 'bg-accent-soft font-medium' : 'hover:bg-hover',
          )}
          onClick={() => onSection(other)}
        >
          {t(`settings.${other}`)}
        </button>
      ))}
    </div>
  );
};

/** The settings of the chosen section. A section with an open form stays in the document, hidden: its input would be lost. */
const Sections = (props: SettingsDialogProps) => {
  const { section, projectId } = props;
  const all = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<readonly SettingsSection[]>([]);
  if (section !== null && !opened.includes(section)) setOpened([...opened, section]);
  useLayoutEffect(() => {
    const hasForm = (one: SettingsSection) =>
      all.current?.querySelector(`[data-section="${one}"] form`) != null;
    setOpened((before) => before.filter((one) => one === section || hasForm(one)));
  }, [section]);
  return (
    <ProjectChoice first={projectId}>
      <div ref={all}>
        {opened.map((one) => (
          <div key={one} data-section={one} {...(one === section ? { [SHOWN]: '' } : {})}>
            <Activity mode={one === section ? 'visible' : 'hidden'}>{contentOf(one, props)}</Activity>
          </div>
        ))}
      </div>
    </ProjectChoice>
  );
};

function contentOf(section: SettingsSection, props: SettingsDialogProps): ReactNode {
  switch (section) {
    case 'models':
      return <ModelsSection />;
    case 'spending':
      return <SpendingSection />;
    case 'usage':
      return props.usage;
    case 'instructions':
      return <InstructionsSection />;
    case 'mcp':
      return props.mcp;
    case 'hooks':
      return props.hooks;
    case 'places':
      return props.places;
    case 'agents':
      return props.agents;
    case 'routines':
      return props.routines;
    case 'rules':
      return (
        <div className="flex flex-col gap-6">
          {props.rules}
          <SecretsSection />
        </div>
      );
    case 'sandbox':
      return <SandboxSection hosts={props.hosts ?? (() => null)} />;
    case 'appearance':
      return <AppearanceSection />;
    case 'notifications':
      return <NotificationsSection />;
    case 'shortcuts':
      return props.shortcuts;
    case 'dataPage':
      return <DataSection />;
    case 'about':
      return <AboutSection />;
    default:
      return section satisfies never;
  }
}
