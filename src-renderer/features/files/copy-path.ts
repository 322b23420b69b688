import { useT } from '../../i18n';
import { toast } from '../../link';

/** Copies a path and reports it; if the system refuses, says what to do. */
export function useCopyPath(): (path: string) => Promise<void> {
  const t = useT();
  return (path) =>
    navigator.clipboard.writeText(path).then(
      () => toast(t('files.pathCopied')),
      () => toast(t('files.copyFailed')),
    );
}
