import { useState } from 'react';
import { useT } from '../../i18n';
import { Button, Dialog, Field, Input } from '../../ui';

interface GoToLineProps {
  /** The number of lines in the file, as far as known. */
  lines: number;
  /** Whether `lines` is the final count. */
  isWhole: boolean;
  onGo(line: number): void;
  onClose(): void;
}

/** Prompts for a line (1-based) to go to. */
export const GoToLine = ({ lines, isWhole, onGo, onClose }: GoToLineProps) => {
  const t = useT();
  const [typed, setTyped] = useState('');
  const line = Number(typed);
  const isRight = Number.isInteger(line) && line >= 1;
  const go = () => {
    if (!isRight) return;
    onGo(line);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('files.goToLine')}
      footer={
        <Button variant="primary" disabled={!isRight} onClick={go}>
          {t('files.go')}
        </Button>
      }
    >
      <Field
        label={t('files.line')}
        hint={isWhole ? t('files.lines', { count: lines }) : t('files.linesSoFar', { count: lines - 1 })}
      >
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value.replace(/\D/gu, ''))}
            onKeyDown={(event) => event.key === 'Enter' && go()}
          />
        )}
      </Field>
    </Dialog>
  );
};
