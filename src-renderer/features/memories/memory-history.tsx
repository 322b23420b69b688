import type { DiffHunk } from '@contract/approvals';
import type { MemoryVersion } from '@contract/commands/memories';
import type { ErrorInWords } from '@contract/result';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, lastIn, toast, toastUndo, useAnswer } from '../../link';
import {
  Button,
  cx,
  Diff,
  ErrorNote,
  IconButton,
  LoadFailed,
  Select,
  Skeleton,
  useFocusIfLost,
} from '../../ui';
import { useOpenMemory } from './use-memories';
import { nameOf } from './written-by';

/** Line endings at the end of a memory do not matter. */
const withoutLineEnds = (hunk: DiffHunk): DiffHunk => ({
  ...hunk,
  lines: hunk.lines.filter((line) => !line.startsWith('\\')),
});

/** The versions of one memory: compares any two, and restores one. */
export const MemoryHistory = ({ path, onClose }: { path: string; onClose(): void }) => {
  const t = useT();
  const projectId = useOpenMemory((state) => state.projectId);
  const listed = useAnswer('memories.versions', { path, projectId });
  const versions = lastIn(listed.answer)?.value.versions;
  const [error, setError] = useState<ErrorInWords>();
  const [picked, setPicked] = useState<number>();
  const [base, setBase] = useState<number>();
  const chosen = picked ?? versions?.[0]?.version;
  const from = base ?? versions?.find(({ version }) => version < (chosen ?? 0))?.version ?? 0;
  const comparison = useAnswer(
    'memories.compare',
    chosen === undefined ? null : { path, from, to: chosen, projectId },
    true,
  );
  const hunks = lastIn(comparison.answer)?.value.hunks.map(withoutLineEnds);

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
      {listed.answer.phase === 'failed' && (
        <div className="p-3">
          <LoadFailed error={listed.answer.error} onRetry={listed.reload} />
        </div>
      )}
      {listed.answer.phase === 'loading' && <Skeleton lines={5} />}
      {versions && (
        <>
          <ul className="max-h-48 shrink-0 overflow-y-auto border-b border-line">
            {versions.map((one) => (
              <li key={one.version}>
                <VersionButton
                  version={one}
                  isChosen={one.version === chosen}
                  onChoose={() => {
                    setPicked(one.version);
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
            {comparison.answer.phase === 'failed' && (
              <div className="p-3">
                <LoadFailed error={comparison.answer.error} onRetry={comparison.reload} />
              </div>
            )}
            {hunks !== undefined && hunks.length > 0 && (
              <Diff hunks={hunks} label={t('memories.compareWith')} file={path} />
            )}
            {hunks?.length === 0 && <p className="p-3 text-fg-3">{t('memories.sameText')}</p>}
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
