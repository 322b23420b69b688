import type { UpdateState, UpdateView } from '@contract/updates';
import { useState } from 'react';
import { useFormats, useReasons, useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, ErrorNote } from '../../ui';
import { Check } from './check';
import { useUpdates } from './use-updates';

const COMMANDS = {
  deb: 'sudo apt update && sudo apt install --only-upgrade deepdesk',
  rpm: 'sudo dnf upgrade deepdesk',
  archive: 'tar -xzf deepdesk-VERSION.tar.gz',
  source: 'git pull && npm ci && npm start',
} as const;

/** Whether there is a new version, and how it gets here. */
export const Updates = () => {
  const view = useUpdates();
  if (view === undefined) return null;
  return view.way === 'self' ? <OwnUpdates state={view.state} /> : <Way way={view.way} />;
};

const Way = ({ way }: { way: Exclude<UpdateView['way'], 'self'> }) => {
  const t = useT();
  if (way === 'unconfigured' || way === 'portable')
    return <p className="text-fg-2">{t(`updateWays.${way}`)}</p>;
  return <p className="text-fg-2">{t(`updateWays.${way}`, { command: COMMANDS[way] })}</p>;
};

const OwnUpdates = ({ state }: { state: UpdateState }) => {
  const t = useT();
  const isOn = useApp((app) => app.settings.updates !== false);
  const [error, setError] = useState<string>();
  const act = async (acting: Promise<{ ok: true } | { ok: false; error: { message: string } }>) => {
    const result = await acting;
    setError(result.ok ? undefined : result.error.message);
  };
  const isBusy = state.phase === 'checking' || state.phase === 'downloading';
  return (
    <div className="flex flex-col gap-2">
      {error !== undefined && <ErrorNote message={error} />}
      <div role="status">
        {isOn ? <State state={state} /> : <p className="text-fg-2">{t('updates.off')}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {isOn && state.phase === 'downloading' && (
          <Button onClick={() => void act(call('updates.cancel', {}))}>{t('updates.cancel')}</Button>
        )}
        {isOn && state.phase === 'ready' && state.restarts && (
          <Button onClick={() => void act(call('updates.restart', {}))}>{t('updates.restart')}</Button>
        )}
        {state.phase !== 'ready' && (
          <Button disabled={!isOn || isBusy} onClick={() => void act(call('updates.check', {}))}>
            {t('updates.check')}
          </Button>
        )}
      </div>
      <Check
        label={t('updates.switch')}
        hint={t('updates.switchHint')}
        checked={isOn}
        onChange={(updates) => void act(call('settings.change', { updates }))}
      />
      {isOn && state.phase === 'ready' && state.notes !== '' && (
        <Notes title={t('updates.notes', { version: state.version })}>{state.notes}</Notes>
      )}
    </div>
  );
};

const State = ({ state }: { state: UpdateState }) => {
  const t = useT();
  const reasons = useReasons();
  const formats = useFormats();
  switch (state.phase) {
    case 'current':
      return <p className="text-fg-2">{t('updates.current', { moment: formats.moment(state.checkedAt) })}</p>;
    case 'downloading':
      return <p>{t('updates.downloading', { version: state.version, percent: state.percent })}</p>;
    case 'ready':
      return <p className="font-medium">{t('updates.ready', { version: state.version })}</p>;
    case 'failed':
      return <p className="text-ask-text">{reasons.sentences([state.why])}</p>;
    default:
      return <p className="text-fg-2">{t(`updates.${state.phase}`)}</p>;
  }
};

/** Text from the feed, shown as it is. */
const Notes = ({ title, children }: { title: string; children: string }) => (
  <section className="flex flex-col gap-1" aria-label={title}>
    <h5 className="font-medium">{title}</h5>
    <p
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      className="max-h-40 overflow-auto rounded-card border border-line bg-sunken px-3 py-2 break-words whitespace-pre-wrap"
    >
      {children}
    </p>
  </section>
);
