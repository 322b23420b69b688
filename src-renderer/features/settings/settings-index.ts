import type { Settings } from '@contract/app';
import { foldText } from '@contract/shared/fold-text';
import { type Key, translator } from '../../i18n';
import type { SettingsSection } from '../../link';

/** A row of the settings, by the text on it. */
export interface SettingRow {
  section: SettingsSection;
  label: Key;
  /** Additional search terms. */
  more?: readonly Key[];
}

const rows = (section: SettingsSection, ...labels: readonly (Key | readonly [Key, ...Key[]])[]) =>
  labels.map((label): SettingRow => {
    if (typeof label === 'string') return { section, label };
    const [first, ...more] = label;
    return { section, label: first, more };
  });

/** The rows that the search can jump to, in the order of the sections. */
const SETTING_ROWS: readonly SettingRow[] = [
  ...rows(
    'models',
    ['settings.key', 'settings.enterKey', 'settings.keyKeychain'],
    ['settings.address', 'settings.setAddress', 'settings.addressHint'],
    ['data.test', 'data.testModel'],
    ['settings.refresh', 'settings.refreshHint'],
    ['data.titles', 'data.titlesHint'],
  ),
  ...rows(
    'spending',
    ['usage.ceilings', 'usage.ceilingsHint'],
    'usage.perThread',
    'usage.perDay',
    ['usage.fallbacks', 'usage.fallbacksHint'],
    ['usage.facts', 'usage.factsHint'],
    'usage.contextWindow',
    'usage.maxOutput',
    'usage.priceInput',
  ),
  ...rows(
    'usage',
    ['data.byDay', 'data.usageHint', 'settings.usage'],
    ['data.byModel', 'data.tokens'],
    ['data.byProject', 'data.cost'],
    'data.saveCsv',
  ),
  ...rows('instructions', ['usage.systemPrompt', 'usage.systemPromptHint'], 'usage.suffix', [
    'usage.toolsOffered',
    'usage.toolsHint',
  ]),
  ...rows('mcp', 'settings.mcp'),
  ...rows('hooks', ['settings.hooks', 'hooks.run', 'hooks.before_tool', 'hooks.after_tool']),
  ...rows(
    'places',
    ['settings.places', 'places.about'],
    ['places.projectRules', 'places.projectRulesAbout', 'places.projectRulesHint'],
  ),
  ...rows('agents', ['settings.agents', 'agents.about', 'agents.address', 'agents.graph']),
  ...rows('routines', ['settings.routines', 'routines.openHint']),
  ...rows('rules', 'settings.rules', ['secrets.title', 'secrets.guard']),
  ...rows(
    'sandbox',
    ['sandbox.run', 'sandbox.title'],
    ['sandbox.hosts', 'sandbox.hostsHint'],
    'sandbox.hidden',
    'sandbox.readOnly',
  ),
  ...rows(
    'appearance',
    ['settings.theme', 'settings.themeDark', 'settings.themeLight'],
    ['settings.contrast', 'settings.contrastMore'],
    'settings.fontSize',
    ['settings.motion', 'settings.motionLess'],
    'settings.language',
    ['settings.tray', 'settings.trayHint'],
  ),
  ...rows(
    'notifications',
    ['settings.approvalNotifications', 'settings.approvalNotificationsHint'],
    ['settings.turnNotifications', 'settings.turnNotificationsHint'],
  ),
  ...rows('shortcuts', 'settings.shortcuts'),
  ...rows(
    'dataPage',
    ['data.sizes', 'data.caches', 'data.database'],
    'data.openFolder',
    ['data.budgetVersions', 'data.budgets', 'data.budgetVersionsHint'],
    ['data.budgetMemories', 'data.budgets'],
    ['data.deletedDays', 'data.budgets'],
    ['data.backup', 'data.backupHint'],
    ['data.restore', 'data.restoreHint'],
    ['data.wipe', 'data.wipeHint', 'data.wipeGoes'],
  ),
  ...rows(
    'about',
    ['settings.about', 'settings.data', 'settings.warnings'],
    ['about.guide', 'about.guideHint', 'about.showGuide'],
    ['updates.switch', 'updates.title', 'updates.switchHint', 'updates.check'],
    ['about.diagnostics', 'about.diagnosticsHint', 'about.copy'],
    ['about.licenses', 'about.licensesHint'],
  ),
];

const languages = [translator('en'), translator('zh')];

/** Texts without placeholders: none of the keys above has any. */
const textsOf = ({ section, label, more = [] }: SettingRow): string => {
  const keys: Key[] = [label, ...more, `settings.${section}`];
  return foldText(languages.flatMap((t) => keys.map((key) => (t as (key: Key) => string)(key))).join('\n'));
};
let texts: readonly string[] | undefined;

/** Rows that contain all of the words, in either language; label matches come first. */
export function findSettings(query: string): SettingRow[] {
  const words = foldText(query)
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  texts ??= SETTING_ROWS.map(textsOf);
  const all = texts;
  const found = SETTING_ROWS.filter((_, index) => words.every((word) => all[index]?.includes(word)));
  const isOnLabel = ({ label }: SettingRow) =>
    languages.some((t) => words.every((word) => foldText((t as (key: Key) => string)(label)).includes(word)));
  return [...found.filter(isOnLabel), ...found.filter((row) => !isOnLabel(row))];
}

const at = (section: SettingsSection, label: Key): SettingRow => ({ section, label });

/** The row of each setting, and its name. Internal settings have none. */
export const SETTING_PLACES: Readonly<Partial<Record<keyof Settings, SettingRow>>> = {
  theme: at('appearance', 'settings.theme'),
  contrast: at('appearance', 'settings.contrast'),
  fontSize: at('appearance', 'settings.fontSize'),
  motion: at('appearance', 'settings.motion'),
  language: at('appearance', 'settings.language'),
  notifications: at('notifications', 'settings.approvalNotifications'),
  turnNotifications: at('notifications', 'settings.turnNotifications'),
  tray: at('appearance', 'settings.tray'),
  shortcuts: at('shortcuts', 'settings.shortcuts'),
  titles: at('models', 'data.titles'),
  updates: at('about', 'updates.switch'),
  spending: at('spending', 'usage.ceilings'),
  fallbacks: at('spending', 'usage.fallbacks'),
};
