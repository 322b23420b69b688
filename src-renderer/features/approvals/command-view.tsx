import type { Preview } from '@contract/approvals';
import type { CommandPart, Touched } from '@contract/control';
import { shownName } from '@contract/shared/shown-name';
import { Box, Check, CircleSlash, Hand, Server } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { listed, useFormats, useReasons, useT } from '../../i18n';
import { Badge, cx, ExactText } from '../../ui';
import { shownPath } from './heading';
import { hasEndInSight } from './use-seen-end';

type Command = Extract<Preview, { kind: 'command' }>;

interface CommandViewProps {
  preview: Command;
  mount: string;
  /** The end of the command was visible. */
  onSeen(): void;
}

/** Lines and characters of a command's end that are shown while the end itself is not visible. */
const TAIL_LINES = 3;
const TAIL = 300;

/** A command's exact bytes, with its parts, its working directory and its changes. */
export const CommandView = ({ preview, mount, onSeen }: CommandViewProps) => {
  const t = useT();
  const { command, cwd, timeoutSeconds, parts = [], touches = [], files = [] } = preview;
  const lines = command.split('\n').length;
  return (
    <div>
      <CommandText command={command} onSeen={onSeen} />
      <p className="flex flex-wrap gap-x-3 border-t border-line bg-sunken px-3 py-1 text-small text-fg-2 [@container(max-height:20rem)]:py-0.5">
        <span className="min-w-0 wrap-anywhere">
          {t('approvals.in')}{' '}
          <code className="font-mono">
            <ExactText text={cwd} oneLine />
          </code>
        </span>
        <span>
          {lines > 1 && `${t('approvals.lines', { count: lines })}, `}
          {t('approvals.characters', { count: [...command].length })}
        </span>
        <span>
          {timeoutSeconds === null
            ? t('approvals.noTimeout')
            : t('approvals.timeout', { seconds: timeoutSeconds })}
        </span>
      </p>
      {preview.machine !== undefined && (
        <div className="flex items-start gap-2 border-t border-line px-3 py-1.5 text-small [@container(max-height:20rem)]:py-0.5">
          <Server aria-hidden size={14} className="mt-0.5 shrink-0 text-ask-text" />
          <p className="min-w-0 break-words text-fg-2">
            {t('approvals.onMachine')}{' '}
            <code className="font-mono break-all text-fg">
              <ExactText text={preview.machine} strict />
            </code>
            {'. '}
            {t('approvals.machineUndo')}
          </p>
        </div>
      )}
      {preview.outsideSandbox === true && (
        <div className="flex items-start gap-2 border-t border-line px-3 py-1.5 text-small [@container(max-height:20rem)]:py-0.5">
          <Box aria-hidden size={14} className="mt-0.5 shrink-0 text-ask-text" />
          <div className="min-w-0">
            <p className="text-fg-2">{t('sandbox.outside')}</p>
            {preview.outsideReason !== undefined && (
              <p className="break-words text-fg">
                {t('sandbox.outsideReason', { reason: '' })}
                <ExactText text={preview.outsideReason} strict />
              </p>
            )}
          </div>
        </div>
      )}
      {preview.attempt !== undefined && preview.attempt.output.trim() !== '' && (
        <details className="border-t border-line px-3 py-1.5 text-small">
          <summary className="text-fg-2">{t('approvals.attempt')}</summary>
          <pre className="mt-1 max-h-48 overflow-auto font-mono text-code wrap-anywhere whitespace-pre-wrap">
            <ExactText text={preview.attempt.output} />
          </pre>
        </details>
      )}
      {parts.length > 0 && <Parts parts={parts} alone={parts.length === 1} />}
      <DependsOn files={files} mount={mount} />
      {preview.machine === undefined && (
        <p className="border-t border-line px-3 py-1 text-small text-fg-3 [@container(max-height:20rem)]:py-0.5">
          {t(preview.thenInLayer === true ? 'approvals.thenInLayer' : 'approvals.inFolder')}
        </p>
      )}
      {touches.length > 0 && <Touches touches={touches} cut={preview.touchesCut === true} mount={mount} />}
    </div>
  );
};

/** The files that a command runs. */
const DependsOn = ({ files, mount }: { files: NonNullable<Command['files']>; mount: string }) => {
  const t = useT();
  if (files.length === 0) return null;
  return (
    <p className="max-h-24 overflow-auto border-t border-line px-3 py-1 text-small wrap-anywhere text-fg-2">
      {t('approvals.runsFiles', {
        names: listed(
          t,
          files.map(({ path }) => shownName(shownPath(path, mount))),
        ),
      })}
    </p>
  );
};

/** What a command that ran in a layer runs if it runs for real. */
export const ScriptsBehind = ({ preview, mount }: { preview: Command; mount: string }) => {
  const { parts = [], files = [] } = preview;
  const scripts = parts.filter(({ script }) => script !== undefined);
  return (
    <>
      {scripts.length > 0 && <Parts parts={scripts} alone={parts.length === 1} />}
      <DependsOn files={files} mount={mount} />
    </>
  );
};

const signs = {
  allow: { icon: Check, tone: 'text-ok', word: 'approvals.partAllow' },
  ask: { icon: Hand, tone: 'text-ask-text', word: 'approvals.partAsk' },
  deny: { icon: CircleSlash, tone: 'text-deny', word: 'approvals.partDeny' },
} as const;

/** What each simple command of the line is, the most dangerous first. */
const Parts = ({ parts, alone }: { parts: readonly CommandPart[]; alone: boolean }) => {
  const t = useT();
  const reasons = useReasons();
  return (
    <ul
      aria-label={t('approvals.parts')}
      className="flex max-h-56 flex-col gap-1 overflow-auto border-t border-line px-3 py-2 text-small [@container(max-height:20rem)]:gap-0.5 [@container(max-height:20rem)]:py-0.5"
    >
      {parts.map((part, index) => {
        const sign = signs[part.verdict];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a part
          <li key={index} className="flex items-start gap-2">
            <sign.icon aria-hidden size={14} className={cx('mt-0.5 shrink-0', sign.tone)} />
            <span className="min-w-0">
              <span className="sr-only">{t(sign.word)}: </span>
              {!alone && (
                <code className="mr-2 font-mono wrap-anywhere text-fg">
                  <ExactText text={part.text} strict />
                </code>
              )}
              <span className={part.risk === 'high' ? 'text-deny' : 'text-fg-2'}>
                <ExactText text={alone ? reasons.heading(part.reason) : reasons.clause(part.reason)} />
              </span>
              {part.program !== undefined && (
                <code className="ml-2 font-mono wrap-anywhere text-fg-3">
                  <ExactText text={part.program} strict />
                </code>
              )}
              {part.rule !== undefined && (
                <span className="ml-2 text-fg-3">
                  <ExactText text={t('approvals.partRule', { rule: part.rule })} />
                </span>
              )}
              {part.script !== undefined && (
                <span className="mt-0.5 block text-fg-2">
                  {t('approvals.script')}{' '}
                  <code className="block font-mono wrap-anywhere whitespace-pre-wrap text-fg">
                    <ExactText text={part.script} strict />
                  </code>
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
};

const does = {
  delete: 'approvals.doesDelete',
  move: 'approvals.doesMove',
  overwrite: 'approvals.doesOverwrite',
  append: 'approvals.doesAppend',
  edit: 'approvals.doesEdit',
  create: 'approvals.doesCreate',
  change: 'approvals.doesChange',
} as const;

/** The current state of the paths that the command changes. */
const Touches = ({ touches, cut, mount }: { touches: readonly Touched[]; cut: boolean; mount: string }) => {
  const t = useT();
  return (
    <div className="border-t border-line px-3 py-2 text-small [@container(max-height:20rem)]:py-0.5">
      <ul
        aria-label={t('approvals.touches')}
        className="flex max-h-48 flex-col gap-1 overflow-auto [@container(max-height:20rem)]:gap-0.5"
      >
        {touches.map((touch, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a path may be listed twice
          <li key={index} className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-fg-2">{t(does[touch.does])}</span>
            <code className="min-w-0 font-mono wrap-anywhere text-fg">
              <ExactText text={touch.outside ? touch.path : shownPath(touch.path, mount)} oneLine strict />
            </code>
            <What touch={touch} />
            {touch.outside && <Badge tone="deny">{t('approvals.outside')}</Badge>}
          </li>
        ))}
      </ul>
      {cut && <p className="text-ask-text">{t('approvals.touchesCut')}</p>}
    </div>
  );
};

const What = ({ touch }: { touch: Touched }) => {
  const t = useT();
  const formats = useFormats();
  const { kind, files, bytes, more, notInGit } = touch;
  const words = {
    nothing: t('approvals.isNothing'),
    unknown: t(touch.dependsOnFolder === true ? 'approvals.dependsOnFolder' : 'approvals.isUnknown'),
    link: t('approvals.isLink'),
    other: t('approvals.isOther'),
    folder: t('approvals.isFolder'),
    file: '',
  }[kind];
  const size = bytes === undefined ? '' : formats.bytes(bytes);
  const count =
    kind === 'folder' && files !== undefined
      ? t(more === true ? 'approvals.manyFiles' : 'approvals.filesInside', { count: files })
      : '';
  const lost =
    notInGit === undefined || notInGit === 0
      ? ''
      : kind === 'file'
        ? t('approvals.notInGit')
        : t('approvals.notInGitCount', { count: notInGit });
  return (
    <>
      <span className="text-fg-3 tabular-nums">
        {listed(
          t,
          [words, count, size].filter((part) => part !== ''),
        )}
      </span>
      {lost !== '' && <span className="text-ask-text">{lost}</span>}
    </>
  );
};

/** The exact text of a command; for a long one also its end. */
export const CommandText = ({ command, onSeen }: { command: string; onSeen(): void }) => {
  const t = useT();
  const box = useRef<HTMLElement>(null);
  const [hasEnd, setHasEnd] = useState(true);
  const look = () => {
    const area = box.current;
    if (area === null) return;
    const isSeen = hasEndInSight(area);
    setHasEnd(isSeen);
    if (isSeen) onSeen();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has a different end
  useEffect(look, [command]);
  return (
    <>
      <section
        ref={box}
        data-scrolls
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
        tabIndex={0}
        aria-label={t('approvals.commandLabel')}
        onScroll={look}
        className="max-h-64 overflow-auto bg-sunken px-3 py-2 -outline-offset-2 [@container(max-height:20rem)]:py-0.5"
      >
        <pre className="font-mono text-code wrap-anywhere whitespace-pre-wrap">
          <ExactText text={command} strict />
        </pre>
      </section>
      {!hasEnd && (
        <div className="border-t border-line-strong bg-sunken px-3 py-1">
          <span className="text-small text-fg-3">{t('approvals.endsWith')}</span>
          <pre className="font-mono text-code wrap-anywhere whitespace-pre-wrap">
            <ExactText text={command.split('\n').slice(-TAIL_LINES).join('\n').slice(-TAIL)} strict />
          </pre>
        </div>
      )}
    </>
  );
};
