import type { CopiedMemories, MemoryCopyPreview, MemoryEnd } from '@contract/commands/memories';
import type { ProjectId } from '@contract/ids';
import type { PlaceInfo } from '@contract/places';
import type { ErrorInWords } from '@contract/result';
import { useEffect, useRef, useState } from 'react';
import { useErrorWords, useT } from '../../i18n';
import { call, onHostEvent, placesIn, useAnswer, usePlaces } from '../../link';
import { Button, Dialog, ErrorNote, Field, LoadFailed, Select, Spinner } from '../../ui';

interface CopyDialogProps {
  /** Null: no project is open. */
  projectId: ProjectId | null;
  /** Of teams; at least one. */
  teams: readonly PlaceInfo[];
  onClose(): void;
}

/** The places of teams that a project has. */
export function useTeams(projectId: ProjectId | null): PlaceInfo[] {
  const { list } = usePlaces(projectId);
  return placesIn(list).filter(({ options }) => options.kind === 'team');
}

/** Copies or moves memories between the project, everywhere, and the databases of teams. */
export const CopyDialog = ({ projectId, teams, onClose }: CopyDialogProps) => {
  const t = useT();
  const ends = useEnds(projectId, teams);
  const [from, setFrom] = useState(ends[0]?.value ?? '');
  const [to, setTo] = useState(ends.at(-1)?.value ?? '');
  const targets = targetsOf(ends, from);
  const chooseFrom = (value: string) => {
    const next = targetsOf(ends, value);
    setFrom(value);
    if (!next.some((end) => end.value === to)) setTo(next[0]?.value ?? '');
  };
  const { answer, reload } = useAnswer('memories.previewCopy', { from: endOf(from), to: endOf(to) });
  const preview = answer.phase === 'loaded' ? answer.value : undefined;
  const copying = useCopying();
  const { state } = copying;
  const again = () => {
    copying.reset();
    reload();
  };
  const close = () => {
    copying.stop();
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={t('memories.copyTitle')}
      description={t('memories.copyHint')}
      footer={
        <Footer
          copying={copying}
          preview={preview}
          onStart={(removes) => copying.start({ from: endOf(from), to: endOf(to), removes })}
          onAgain={again}
          onClose={close}
        />
      }
    >
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <EndField
            label={t('memories.copyFrom')}
            value={from}
            ends={ends}
            isFixed={state.phase !== 'choosing'}
            onChange={chooseFrom}
          />
          <EndField
            label={t('memories.copyTo')}
            value={to}
            ends={targets}
            isFixed={state.phase !== 'choosing'}
            onChange={setTo}
          />
        </div>
        {state.phase === 'choosing' &&
          (answer.phase === 'failed' ? (
            <LoadFailed error={answer.error} onRetry={reload} />
          ) : (
            <Preview preview={preview} />
          ))}
        {state.phase === 'running' && (
          <progress
            aria-label={t('memories.copyTitle')}
            className="w-full"
            max={Math.max(1, state.total)}
            value={state.done}
          />
        )}
        {(state.phase === 'running' || state.phase === 'stopped') && (
          <p role="status" className="text-fg-2 tabular-nums">
            {t(state.phase === 'running' ? 'memories.copyDone' : 'memories.copyStopped', {
              done: state.done,
              total: state.total,
            })}
          </p>
        )}
        {state.phase === 'failed' && <ErrorNote message={state.error.message} detail={state.error.detail} />}
        {state.phase === 'ended' && <Outcome removes={state.removes} result={state.result} />}
      </div>
    </Dialog>
  );
};

interface FooterProps {
  copying: ReturnType<typeof useCopying>;
  preview: MemoryCopyPreview | undefined;
  onStart(removes: boolean): void;
  onAgain(): void;
  onClose(): void;
}

const Footer = ({ copying: { state, stop }, preview, onStart, onAgain, onClose }: FooterProps) => {
  const t = useT();
  if (state.phase === 'running') return <Button onClick={stop}>{t('memories.copyStop')}</Button>;
  const { fresh, same } = preview ?? { fresh: 0, same: 0 };
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t(state.phase === 'choosing' ? 'memories.cancel' : 'memories.copyClose')}
      </Button>
      {state.phase === 'choosing' ? (
        <>
          <Button disabled={fresh + same === 0} onClick={() => onStart(true)}>
            {t('memories.copyMove')}
          </Button>
          <Button variant="primary" disabled={fresh === 0} onClick={() => onStart(false)}>
            {t('memories.copyCopy')}
          </Button>
        </>
      ) : (
        <Button onClick={onAgain}>{t('memories.copyAgain')}</Button>
      )}
    </>
  );
};

interface End {
  /** A `MemoryEnd` as JSON. */
  value: string;
  label: string;
}

function useEnds(projectId: ProjectId | null, teams: readonly PlaceInfo[]): End[] {
  const t = useT();
  const end = (of: MemoryEnd, label: string): End => ({ value: JSON.stringify(of), label });
  return [
    ...(projectId === null ? [] : [end({ kind: 'project', projectId }, t('memories.thisProject'))]),
    end({ kind: 'everywhere' }, t('memories.everywhere')),
    ...teams.map(({ id, path }) => end({ kind: 'team', placeId: id }, path)),
  ];
}

/** One end is always a team: two names of the same memories would let a move delete them. */
const targetsOf = (ends: readonly End[], from: string): End[] =>
  ends.filter(({ value }) => (endOf(value).kind === 'team') !== (endOf(from).kind === 'team'));

const endOf = (value: string): MemoryEnd => JSON.parse(value);

interface EndFieldProps {
  label: string;
  value: string;
  ends: readonly End[];
  isFixed: boolean;
  onChange(value: string): void;
}

const EndField = ({ label, value, ends, isFixed, onChange }: EndFieldProps) => (
  <Field label={label}>
    {(ids) => (
      <Select
        {...ids}
        value={value}
        disabled={isFixed}
        onChange={(event) => onChange(event.target.value)}
        options={ends}
      />
    )}
  </Field>
);

const Preview = ({ preview }: { preview: MemoryCopyPreview | undefined }) => {
  const t = useT();
  if (preview === undefined)
    return (
      <p className="flex items-center gap-2 text-fg-2">
        <Spinner size={14} /> {t('memories.copyComparing')}
      </p>
    );
  const { fresh, same, different, names } = preview;
  return (
    <div role="status" className="flex flex-col gap-1">
      <p>
        {t(fresh + same + different === 0 ? 'memories.copyNothing' : 'memories.copyFresh', { count: fresh })}
      </p>
      {same > 0 && <p className="text-fg-2">{t('memories.copySame', { count: same })}</p>}
      {different > 0 && (
        <>
          <p className="text-ask-text">{t('memories.copyDifferent', { count: different })}</p>
          <Names names={names} more={different - names.length} />
        </>
      )}
    </div>
  );
};

const Names = ({ names, more }: { names: readonly string[]; more: number }) => {
  const t = useT();
  return (
    <ul className="selectable max-h-40 overflow-y-auto font-mono text-code text-fg-2">
      {names.map((name) => (
        <li key={name} className="truncate" title={name}>
          {name}
        </li>
      ))}
      {more > 0 && <li>{t('memories.copyMore', { count: more })}</li>}
    </ul>
  );
};

const Outcome = ({ removes, result }: { removes: boolean; result: CopiedMemories }) => {
  const t = useT();
  const errorWords = useErrorWords();
  const { copied, same, left, error } = result;
  const why = (wanted: CopiedMemories['left'][number]['why']) =>
    left.filter((one) => one.why === wanted).map(({ name }) => name);
  const [different, changed] = [why('different'), why('changed')];
  const problem = error === null ? undefined : errorWords(error);
  return (
    <div className="flex flex-col gap-1">
      <p role="status">
        {removes
          ? t('memories.movedCount', { count: copied + same })
          : t('memories.copiedCount', { count: copied })}
      </p>
      {different.length > 0 && (
        <>
          <p className="text-ask-text">{t('memories.copyDifferent', { count: different.length })}</p>
          <Names names={different} more={0} />
        </>
      )}
      {changed.length > 0 && (
        <>
          <p className="text-ask-text">{t('memories.copyChanged', { count: changed.length })}</p>
          <Names names={changed} more={0} />
        </>
      )}
      {problem !== undefined && (
        <ErrorNote
          message={t('app.sentences', { first: problem.message, second: t('memories.copyGoOn') })}
          detail={problem.detail}
        />
      )}
    </div>
  );
};

type Copying =
  | { phase: 'choosing' }
  | { phase: 'running' | 'stopped'; done: number; total: number }
  | { phase: 'failed'; error: ErrorInWords }
  | { phase: 'ended'; removes: boolean; result: CopiedMemories };

/** One copy at a time, which can be stopped. */
function useCopying() {
  const [state, setState] = useState<Copying>({ phase: 'choosing' });
  const running = useRef<AbortController | null>(null);
  useEffect(
    () =>
      onHostEvent('memories.copying', ({ done, total }) =>
        setState((now) => (now.phase === 'running' ? { ...now, done, total } : now)),
      ),
    [],
  );
  const stop = () => {
    running.current?.abort();
    setState((now) => (now.phase === 'running' ? { ...now, phase: 'stopped' } : now));
  };
  const start = (order: { from: MemoryEnd; to: MemoryEnd; removes: boolean }) => {
    const controller = new AbortController();
    running.current = controller;
    setState({ phase: 'running', done: 0, total: 0 });
    void call('memories.copy', order, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (result.ok) setState({ phase: 'ended', removes: order.removes, result: result.value });
      else setState({ phase: 'failed', error: result.error });
    });
  };
  return { state, start, stop, reset: () => setState({ phase: 'choosing' }) };
}
