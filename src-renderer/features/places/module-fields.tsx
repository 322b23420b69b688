import type { ProjectId } from '@contract/ids';
import { useEffect } from 'react';
import { useT } from '../../i18n';
import { useAnswer } from '../../link';
import { CodeBlock, LoadFailed } from '../../ui';
import type { TargetText } from './target-text';

/** Visible height of the module's text, in pixels. */
const HEIGHT = 240;

interface ModuleFieldsProps {
  projectId: ProjectId | null;
  onChange(part: Partial<TargetText>): void;
}

/** The module of a project, to be read before it is allowed. */
export const ModuleFields = ({ projectId, onChange }: ModuleFieldsProps) => {
  const t = useT();
  const { answer, reload } = useAnswer('places.module', projectId === null ? null : { projectId });
  const shown = projectId !== null && answer.phase === 'loaded' ? answer.value : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form makes a new function each time
  useEffect(() => {
    // What is shown is what the person allows.
    onChange({ file: shown?.file ?? '', hash: shown?.hash ?? '' });
  }, [shown]);
  if (projectId === null) return <p className="text-small text-fg-2">{t('places.moduleProject')}</p>;
  return (
    <div className="flex flex-col gap-1.5">
      {answer.phase === 'failed' && <LoadFailed error={answer.error} onRetry={reload} />}
      {shown !== undefined && (
        <>
          <CodeBlock code={shown.text} language="js" title={shown.file} maxHeight={HEIGHT} />
          <span className="text-small text-fg-3">{t('places.moduleHint')}</span>
        </>
      )}
    </div>
  );
};
