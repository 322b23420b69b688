import type { TerminalInfo } from '@contract/app';
import { TERMINAL_TITLE } from '@contract/limits';
import type { Reasons } from '@contract/shared/reasons';
import { useState } from 'react';
import { listed, useReasons, useT } from '../../i18n';
import { Button, Dialog, Field, Input } from '../../ui';
import { unnamed } from './status';

interface Question {
  onCancel(): void;
}

/** Exact input or clipboard text, in a box of limited height. */
const Exact = ({ text }: { text: string }) => (
  <pre
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
    tabIndex={0}
    className="max-h-48 overflow-auto rounded-control border border-line bg-sunken px-2 py-1.5 font-mono text-code break-words whitespace-pre-wrap"
  >
    {text}
  </pre>
);

/** Shows several lines before a shell gets them: a web page may have put more on the clipboard than was selected. */
export const PasteQuestion = ({
  text,
  onPaste,
  onCancel,
}: Question & { text: string; onPaste(text: string, askNoMore: boolean): void }) => {
  const t = useT();
  const [askNoMore, setAskNoMore] = useState(false);
  const lines = text.trimEnd().split(/\r\n|\r|\n/);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      title={t('terminal.pasteTitle', { count: lines.length })}
      description={t('terminal.pasteHint')}
      footer={
        <>
          <Button onClick={onCancel}>{t('terminal.cancel')}</Button>
          <Button onClick={() => onPaste(lines.map((line) => line.trim()).join(' '), askNoMore)}>
            {t('terminal.pasteOneLine')}
          </Button>
          <Button autoFocus variant="primary" onClick={() => onPaste(text, askNoMore)}>
            {t('terminal.pasteAnyway')}
          </Button>
        </>
      }
    >
      <Exact text={text.slice(0, 20_000)} />
      <label className="mt-3 flex items-center gap-2">
        <input type="checkbox" checked={askNoMore} onChange={(event) => setAskNoMore(event.target.checked)} />
        {t('terminal.pasteNoAsk')}
      </label>
    </Dialog>
  );
};

/** Asks before a command runs again, if the current rules require it. */
export const RerunQuestion = ({
  command,
  reason,
  onRun,
  onCancel,
}: Question & { command: string; reason: Reasons; onRun(): void }) => {
  const t = useT();
  const reasons = useReasons();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      title={t('terminal.runAgainTitle')}
      description={t('terminal.runAgainHint')}
      footer={
        <>
          <Button onClick={onCancel}>{t('terminal.cancel')}</Button>
          <Button variant="primary" onClick={onRun}>
            {t('terminal.runAgain')}
          </Button>
        </>
      }
    >
      <Exact text={command} />
      <p className="mt-3 text-fg-2">{reasons.sentences(reason)}</p>
    </Dialog>
  );
};

/** Names the programs that closing would stop. */
export const CloseQuestion = ({
  names,
  onClose,
  onCancel,
}: Question & { names: readonly string[]; onClose(): void }) => {
  const t = useT();
  const different = [...new Set(names)];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      title={t('terminal.closeTitle')}
      description={t('terminal.closeHint', {
        names: listed(t, different.length > 5 ? [...different.slice(0, 5), '…'] : different),
        count: different.length,
      })}
      footer={
        <>
          <Button onClick={onCancel}>{t('terminal.cancel')}</Button>
          <Button variant="danger" onClick={onClose}>
            {t('terminal.closeAnyway')}
          </Button>
        </>
      }
    />
  );
};

export const RenameQuestion = ({
  terminal,
  onRename,
  onCancel,
}: Question & { terminal: TerminalInfo; onRename(title: string): void }) => {
  const t = useT();
  const [title, setTitle] = useState(terminal.title ?? '');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onCancel()}
      title={t('terminal.renameTitle')}
      footer={
        <>
          <Button onClick={onCancel}>{t('terminal.cancel')}</Button>
          <Button variant="primary" onClick={() => onRename(title)}>
            {t('terminal.save')}
          </Button>
        </>
      }
    >
      <Field label={t('terminal.name')} hint={t('terminal.nameHint')}>
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            value={title}
            maxLength={TERMINAL_TITLE}
            placeholder={unnamed(terminal)}
            onChange={(event) => setTitle(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              event.preventDefault();
              onRename(title);
            }}
          />
        )}
      </Field>
    </Dialog>
  );
};
