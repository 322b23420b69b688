import type { Settings } from '@contract/app';
import { DEFAULT_SETTINGS } from '@contract/default-settings';
import { type Key, useT } from '../../i18n';
import { call, toast, useApp } from '../../link';
import { Button } from '../../ui';
import { SETTING_PLACES, type SettingRow } from './settings-index';

interface ResultsProps {
  rows: readonly SettingRow[];
  onJump(row: SettingRow): void;
}

/** The search results, each a link to its row. */
export const SettingsResults = ({ rows, onJump }: ResultsProps) => {
  const t = useT();
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-small text-fg-3">
        {rows.length === 0 ? t('data.nothingFound') : t('data.found', { count: rows.length })}
      </p>
      <ul className="flex flex-col">
        {rows.map((row) => (
          <li key={`${row.section} ${row.label}`}>
            <button
              type="button"
              className="flex min-h-9 w-full items-center gap-3 rounded-control px-2 py-1 text-left -outline-offset-2 hover:bg-hover"
              onClick={() => onJump(row)}
            >
              <span className="min-w-0 grow">{plain(t, row.label)}</span>
              <span className="shrink-0 text-small text-fg-3">{t(`settings.${row.section}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

/** Row labels have no placeholders. */
export const plain = (t: ReturnType<typeof useT>, key: Key): string => (t as (key: Key) => string)(key);

const SETTINGS = Object.keys(SETTING_PLACES) as (keyof Settings)[];
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Settings that differ from their defaults. */
function changedSettings(settings: Settings): (keyof Settings)[] {
  return SETTINGS.filter(
    (name) => settings[name] !== undefined && !same(settings[name], DEFAULT_SETTINGS[name]),
  );
}

/** Settings that differ between two states. */
export const differing = (before: Settings, after: Settings): (keyof Settings)[] =>
  SETTINGS.filter((name) => !same(before[name], after[name]));

/** Resets these settings to their values in `to`. */
export function setBack(names: readonly (keyof Settings)[], to: Settings): Promise<boolean> {
  const changes = Object.fromEntries(names.map((name) => [name, to[name]]));
  return call('settings.change', changes).then((result) => {
    if (!result.ok) toast(result.error.message);
    return result.ok;
  });
}

/** Every setting that the person changed, each with a link to it and a reset to the default. */
export const ChangedSettings = ({ onJump }: Pick<ResultsProps, 'onJump'>) => {
  const t = useT();
  const settings = useApp((app) => app.settings);
  const names = changedSettings(settings);
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-title font-semibold">{t('data.changedTitle')}</h3>
      {names.length === 0 && <p className="text-fg-2">{t('data.nothingChanged')}</p>}
      <ul className="flex flex-col">
        {names.map((name) => {
          const row = SETTING_PLACES[name];
          if (row === undefined) return null;
          const label = plain(t, row.label);
          return (
            <li key={name} className="flex min-h-9 items-center gap-2 border-b border-line py-1">
              <button
                type="button"
                className="min-w-0 grow rounded-control px-2 py-1 text-left hover:bg-hover"
                onClick={() => onJump(row)}
              >
                {label}
              </button>
              <Button
                size="sm"
                aria-label={t('data.resetOf', { setting: label })}
                onClick={() => void setBack([name], DEFAULT_SETTINGS)}
              >
                {t('data.resetTo')}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
