import { useT } from '../../i18n';
import { toast } from '../../link';

/** Copies a path and says so; says what to do where the system refuses. */
export function useCopyPath(): (path: string) => Promise<void> {
  const t = useT();
  return (path) =>
    navigator.clipboard.writeText(path).then(
      () => toast(t('files.pathCopied')),
      () => toast(t('files.copyFailed')),
    );
}
