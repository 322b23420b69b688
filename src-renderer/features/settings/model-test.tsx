import type { ModelTest as Found } from '@contract/commands/models';
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { modelTestWords, useFormats, useT } from '../../i18n';
import { call, useApp } from '../../link';
import { Button, ErrorNote, Input, Select } from '../../ui';
import type { NamedProvider } from './use-providers';

/** Sends a model of a provider one question, says what is wrong, and what to do next. */
export const ModelTest = ({ provider }: { provider: NamedProvider }) => {
  const t = useT();
  const formats = useFormats();
  const usual = useApp((app) => app.settings.model);
  const own = usual.startsWith(`${provider.id}:`) ? usual.slice(provider.id.length + 1) : undefined;
  const [chosen, setChosen] = useState<string>();
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<string>();
  const [running, setRunning] = useState(false);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const names = [
    ...new Set([...(own === undefined ? [] : [own]), ...provider.models.map(({ name }) => name)]),
  ];
  const model = (chosen ?? names[0] ?? '').trim();
  const test = async () => {
    const stopping = new AbortController();
    stop.current = stopping;
    setFound(undefined);
    setError(undefined);
    setRunning(true);
    const result = await call('models.test', { provider: provider.id, model }, stopping.signal);
    if (stop.current !== stopping) return;
    setRunning(false);
    if (result.ok) setFound(result.value);
    else if (result.error.kind !== 'cancelled') setError(result.error.message);
  };
  // The result may be below the visible area.
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (found !== undefined || error !== undefined) told.current?.scrollIntoView({ block: 'nearest' });
  }, [found, error]);
  return (
    <div ref={told} className="flex scroll-mb-3 flex-col gap-2">
      <div className="flex items-center gap-2">
        <span className="w-16 shrink-0 text-fg-3">{t('data.model')}</span>
        <span className="min-w-0 grow">
          {names.length > 0 ? (
            <Select
              aria-label={`${t('data.testModel')}, ${provider.name}`}
              className="max-w-72"
              options={names.map((name) => ({ value: name, label: name }))}
              value={model}
              onChange={(event) => setChosen(event.target.value)}
            />
          ) : (
            <Input
              aria-label={`${t('data.testModel')}, ${provider.name}`}
              mono
              spellCheck={false}
              placeholder={t('settings.otherModelHint')}
              value={chosen ?? ''}
              onChange={(event) => setChosen(event.target.value)}
            />
          )}
        </span>
        {running && (
          <Button size="sm" variant="ghost" onClick={() => stop.current?.abort()}>
            {t('data.stopTest')}
          </Button>
        )}
        <Button
          size="sm"
          busy={running}
          disabled={model === ''}
          aria-label={t('data.testOf', { provider: provider.name })}
          onClick={() => void test()}
        >
          {t('data.test')}
        </Button>
      </div>
      {error !== undefined && <ErrorNote message={error} />}
      {found?.outcome === 'answered' && (
        <p role="status" className="flex items-center gap-1.5 text-fg-2">
          <CircleCheck aria-hidden size={14} className="shrink-0 text-ok" />
          {t('data.testAnswered', { model: found.model, took: formats.duration(found.took) })}
        </p>
      )}
      {found !== undefined && found.outcome !== 'answered' && (
        <ErrorNote message={modelTestWords(t, found, formats)} detail={found.detail} />
      )}
    </div>
  );
};
