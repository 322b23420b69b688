import type { Checked } from '@contract/commands/data';
import type { DataProgress } from '@contract/events/data';
import { WIPE_WORD } from '@contract/limits';
import { useEffect, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, onHostEvent, toast } from '../../link';
import { Button, ErrorNote, Field, Input } from '../../ui';
import { Heading } from './heading';

type Made = Awaited<ReturnType<typeof backUp>>;
const backUp = (stopping: AbortController) => call('data.backup', {}, stopping.signal);

/** The backup that this window makes, also while it shows another page. `onMade`: of the page, while it is shown. */
let current: { stopping: AbortController; onMade: ((made: Made) => void) | null } | undefined;

/** Backs up to a file, with progress and a way to stop it. */
export const Backup = () => {
  const t = useT();
  const formats = useFormats();
  const [progress, setProgress] = useState<DataProgress>();
  const [running, setRunning] = useState(current !== undefined);
  const [made, setMade] = useState<Checked>();
  const [stopped, setStopped] = useState(false);
  const [error, setError] = useState<string>();
  useEffect(() => onHostEvent('data.progress', ({ step, share }) => setProgress({ step, share })), []);
  const show = (result: Made) => {
    setRunning(false);
    setProgress(undefined);
    if (result.ok) setMade(result.value ?? undefined);
    else if (result.error.kind === 'cancelled') setStopped(true);
    else setError(result.error.message);
  };
  useEffect(() => {
    if (current !== undefined) current.onMade = show;
    return () => {
      if (current !== undefined) current.onMade = null;
    };
  });
  const textOf = (copy: Checked) =>
    t('data.backupMade', {
      counts: t('data.counts', copy.counts),
      size: formats.bytes(copy.bytes),
      path: copy.path,
    });
  const start = async () => {
    const run: NonNullable<typeof current> = { stopping: new AbortController(), onMade: show };
    current = run;
    setRunning(true);
    setProgress(undefined);
    setMade(undefined);
    setStopped(false);
    setError(undefined);
    const result = await backUp(run.stopping);
    current = undefined;
    if (run.onMade !== null) run.onMade(result);
    else if (!result.ok) toast(result.error.message);
    else if (result.value !== null) toast(textOf(result.value));
  };
  const percent = Math.round((progress?.share ?? 0) * 100);
  return (
    <section className="flex flex-col gap-2">
      <Heading title={t('data.backup')} hint={t('data.backupHint')} />
      {error !== undefined && <ErrorNote message={error} />}
      {running && progress !== undefined && (
        <div className="flex items-center gap-2">
          <progress
            aria-label={t('data.backup')}
            className="h-1.5 grow accent-accent"
            max={100}
            {...(progress.share === null ? {} : { value: percent })}
          />
          <span className="text-small text-fg-2 tabular-nums">
            {progress.step === 'copying' ? t('data.copying', { percent }) : t('data.checking')}
          </span>
          <Button size="sm" onClick={() => current?.stopping.abort()}>
            {t('data.stop')}
          </Button>
        </div>
      )}
      <p role="status" className="selectable break-words empty:hidden">
        {made !== undefined && textOf(made)}
        {stopped && t('data.backupStopped')}
      </p>
      <Button className="self-start" busy={running} onClick={() => void start()}>
        {t('data.backUp')}
      </Button>
    </section>
  );
};

/** Replaces the data with a backup, after testing the backup and showing its contents. */
export const Restore = () => {
  const t = useT();
  const [found, setFound] = useState<Checked>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const choose = async () => {
    setBusy(true);
    setFound(undefined);
    const result = await call('data.choose', {});
    setBusy(false);
    setError(result.ok ? undefined : result.error.message);
    if (result.ok) setFound(result.value ?? undefined);
  };
  const restore = async () => {
    const result = await call('data.restore', {});
    setError(result.ok ? undefined : result.error.message);
  };
  return (
    <section className="flex flex-col gap-2">
      <Heading title={t('data.restore')} hint={t('data.restoreHint')} />
      {error !== undefined && <ErrorNote message={error} />}
      <p role="status" className="break-words empty:hidden">
        {busy
          ? t('data.checking')
          : found !== undefined && t('data.restoreFound', { counts: t('data.counts', found.counts) })}
      </p>
      <div className="flex gap-2">
        <Button busy={busy} onClick={() => void choose()}>
          {t('data.choose')}
        </Button>
        {found !== undefined && (
          <>
            <Button variant="ghost" onClick={() => setFound(undefined)}>
              {t('data.cancel')}
            </Button>
            <Button variant="danger" onClick={() => void restore()}>
              {t('data.restoreNow')}
            </Button>
          </>
        )}
      </div>
    </section>
  );
};

/** Deletes all data, after the person types a confirmation. */
export const Wipe = () => {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const close = () => {
    setOpen(false);
    setTyped('');
  };
  const wipe = async () => {
    if (typed.trim() !== WIPE_WORD) return;
    const result = await call('data.wipe', { confirm: WIPE_WORD });
    setError(result.ok ? undefined : result.error.message);
  };
  return (
    <section className="flex flex-col gap-2">
      <Heading title={t('data.wipe')} hint={t('data.wipeHint')} />
      {error !== undefined && <ErrorNote message={error} />}
      {!open && (
        <Button variant="danger" className="self-start" onClick={() => setOpen(true)}>
          {t('data.wipeBegin')}
        </Button>
      )}
      {open && (
        <form
          data-no-draft
          className="flex flex-col gap-3 rounded-card border border-deny/35 p-3"
          onSubmit={(event) => {
            event.preventDefault();
            void wipe();
          }}
        >
          <p>{t('data.wipeGoes')}</p>
          <p className="text-fg-2">{t('data.wipeStays')}</p>
          <Field label={t('data.wipeType', { word: WIPE_WORD })}>
            {(ids) => (
              <Input
                {...ids}
                autoFocus
                className="max-w-48"
                spellCheck={false}
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
          <div className="flex gap-2">
            <Button variant="ghost" onClick={close}>
              {t('data.cancel')}
            </Button>
            <Button type="submit" variant="danger" disabled={typed.trim() !== WIPE_WORD}>
              {t('data.wipeNow')}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
};
