import type { DiffHunk } from '@contract/approvals';
import type { MemoryVersion } from '@contract/commands/memories';
import type { ErrorInWords } from '@contract/result';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, toast, toastUndo } from '../../link';
import { Button, cx, Diff, ErrorNote, IconButton, Select, Skeleton, useFocusIfLost } from '../../ui';
import { useOpenMemory } from './use-memories';
import { nameOf } from './written-by';

type Compared = { hunks: readonly DiffHunk[]; text: string };

/** Line endings at the end of a memory do not matter. */
const withoutLineEnds = (hunk: DiffHunk): DiffHunk => ({
  ...hunk,
  lines: hunk.lines.filter((line) => !line.startsWith('\\')),
});

/** The difference between two versions. */
function useCompared(
  path: string,
  from: number,
  to: number | undefined,
  onError: (error: ErrorInWords) => void,
): Compared | undefined {
  const projectId = useOpenMemory((state) => state.projectId);
  const [compared, setCompared] = useState<Compared>();
  useEffect(() => {
    if (to === undefined) return;
    const controller = new AbortController();
    void call('memories.compare', { path, from, to, projectId }, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (result.ok) setCompared({ ...result.value, hunks: result.value.hunks.map(withoutLineEnds) });
      else onError(result.error);
    });
    return () => controller.abort();
  }, [path, from, to, projectId, onError]);
  return compared;
}

/** The versions of one memory: compares any two, and restores one. */
export const MemoryHistory = ({ path, onClose }: { path: string; onClose(): void }) => {
  const t = useT();
  const projectId = useOpenMemory((state) => state.projectId);
  const [versions, setVersions] = useState<readonly MemoryVersion[]>();
  const [error, setError] = useState<ErrorInWords>();
  const [chosen, setChosen] = useState<number>();
  const [base, setBase] = useState<number>();

  useEffect(() => {
    const controller = new AbortController();
    void call('memories.versions', { path, projectId }, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (!result.ok) return setError(result.error);
      setVersions(result.value.versions);
      setChosen(result.value.versions[0]?.version);
    });
    return () => controller.abort();
  }, [path, projectId]);

  const from = base ?? versions?.find(({ version }) => version < (chosen ?? 0))?.version ?? 0;
  const compared = useCompared(path, from, chosen, setError);

  const restore = async (version: number) => {
    const newest = versions?.[0]?.version;
    const result = await call('memories.restoreVersion', { path, version, projectId });
    if (!result.ok) {
      setError(result.error);
      return;
    }
    onClose();
    const goBack = async () => {
      if (newest === undefined) return;
      const undone = await call('memories.restoreVersion', { path, version: newest, projectId });
      if (!undone.ok) toast(undone.error.message);
    };
    toastUndo(t('memories.restored', { version }), () => void goBack());
  };
  const now = versions?.find(({ version }) => version === chosen);

  return (
    <section
      aria-label={t('memories.historyOf', { name: nameOf(path) })}
      className="flex h-full min-h-0 flex-col"
    >
      <Header path={path} onClose={onClose} />
      {error && (
        <div className="p-3">
          <ErrorNote message={error.message} detail={error.detail} />
        </div>
      )}
      {!versions && !error && <Skeleton lines={5} />}
      {versions && (
        <>
          <ul className="max-h-48 shrink-0 overflow-y-auto border-b border-line">
            {versions.map((one) => (
              <li key={one.version}>
                <VersionButton
                  version={one}
                  isChosen={one.version === chosen}
                  onChoose={() => {
                    setChosen(one.version);
                    setBase(undefined);
                  }}
                />
              </li>
            ))}
          </ul>
          <div className="flex shrink-0 flex-wrap items-center gap-2 px-3 py-2">
            <BaseChoice
              versions={versions.filter(({ version }) => version !== chosen)}
              base={from}
              onChoose={setBase}
            />
            {now && now.size !== null && now !== versions[0] && (
              <Button size="sm" onClick={() => void restore(now.version)}>
                {t('memories.restore')}
              </Button>
            )}
          </div>
          <div className="min-h-0 grow overflow-y-auto border-t border-line">
            {compared && compared.hunks.length > 0 && (
              <Diff hunks={compared.hunks} label={t('memories.compareWith')} file={path} />
            )}
            {compared?.hunks.length === 0 && <p className="p-3 text-fg-3">{t('memories.sameText')}</p>}
          </div>
        </>
      )}
    </section>
  );
};

const Header = ({ path, onClose }: { path: string; onClose(): void }) => {
  const back = useFocusIfLost<HTMLButtonElement>();
  const t = useT();
  return (
    <header className="flex h-9 shrink-0 items-center gap-1 border-b border-line px-1.5">
      <IconButton
        ref={back}
        size="sm"
        label={t('memories.backToMemory')}
        icon={<ArrowLeft size={16} />}
        onClick={onClose}
      />
      <h2 className="min-w-0 grow truncate font-medium" title={path}>
        {t('memories.historyOf', { name: nameOf(path) })}
      </h2>
    </header>
  );
};

interface BaseChoiceProps {
  versions: readonly MemoryVersion[];
  /** 0: nothing. */
  base: number;
  onChoose(version: number): void;
}

/** The version to compare with. */
const BaseChoice = ({ versions, base, onChoose }: BaseChoiceProps) => {
  const t = useT();
  return (
    <>
      <span id="memory-compare" className="shrink-0 text-small text-fg-2">
        {t('memories.compareWith')}
      </span>
      <Select
        aria-labelledby="memory-compare"
        className="h-7! min-w-28 grow"
        value={String(base)}
        onChange={(event) => onChoose(Number(event.target.value))}
        options={[
          { value: '0', label: t('memories.nothing') },
          ...versions.map(({ version }) => ({
            value: String(version),
            label: t('memories.version', { version }),
          })),
        ]}
      />
    </>
  );
};

const VersionButton = (props: { version: MemoryVersion; isChosen: boolean; onChoose(): void }) => {
  const { version, at, size, writtenBy } = props.version;
  const t = useT();
  const { ago, moment } = useFormats();
  const writer = size === null ? 'versionDeleted' : writtenBy?.by === 'person' ? 'byPerson' : 'byAgent';
  return (
    <button
      type="button"
      aria-pressed={props.isChosen}
      className={cx(
        'flex h-7 w-full items-center gap-2 px-3 text-left -outline-offset-2',
        props.isChosen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      onClick={props.onChoose}
    >
      <span className="shrink-0 tabular-nums">{t('memories.version', { version })}</span>
      <span className="min-w-0 grow truncate text-fg-2">{t(`memories.${writer}`)}</span>
      <time className="shrink-0 text-small text-fg-3" title={moment(at)}>
        {ago(at, Date.now())}
      </time>
    </button>
  );
};
