import { useT } from '../../i18n';
import { toast } from '../../link';
import { useCopy } from '../../ui';

/** Copies a path and reports it. */
export function useCopyPath(): (path: string) => void {
  const t = useT();
  const copy = useCopy();
  return (path) => copy(path, () => toast(t('files.pathCopied')));
}
