import type { ProjectId } from '@contract/ids';
import { useEffect, useState } from 'react';
import { useT } from '../../i18n';
import { call } from '../../link';
import { CodeBlock, ErrorNote } from '../../ui';
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
  const [shown, setShown] = useState<{ file: string; text: string }>();
  const [error, setError] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form makes a new function each time
  useEffect(() => {
    let isCurrent = true;
    const load = async () => {
      const result = projectId === null ? null : await call('places.module', { projectId });
      if (!isCurrent) return;
      const module = result?.ok === true ? result.value : null;
      setShown(module ?? undefined);
      setError(result?.ok === false ? result.error.message : undefined);
      // What is shown is what the person allows.
      onChange({ file: module?.file ?? '', hash: module?.hash ?? '' });
    };
    void load();
    return () => {
      isCurrent = false;
    };
  }, [projectId]);
  if (projectId === null) return <p className="text-small text-fg-2">{t('places.moduleProject')}</p>;
  return (
    <div className="flex flex-col gap-1.5">
      {error !== undefined && <ErrorNote message={error} />}
      {shown !== undefined && (
        <>
          <CodeBlock code={shown.text} language="js" title={shown.file} maxHeight={HEIGHT} />
          <span className="text-small text-fg-3">{t('places.moduleHint')}</span>
        </>
      )}
    </div>
  );
};
