import type { Approval } from '@contract/conversation';
import type { Translate } from '../../i18n';

/** The path as users write it: relative inside the project folder, absolute elsewhere. */
export const shownPath = (path: string, mount: string): string =>
  mount !== '' && path.startsWith(`${mount}/`) ? path.slice(mount.length + 1) : path;

/** Describes what will happen, from the preview and never from the model's text. */
export function headingOf(
  { preview, tool, outcome, allowed }: Approval,
  mount: string,
  t: Translate,
): string {
  if (outcome?.lost === true) return t('outcome.headingLost');
  if (outcome !== undefined) return t(allowed.includes('keep') ? 'outcome.heading' : 'outcome.headingRun');
  switch (preview.kind) {
    case 'command':
      return t('approvals.command');
    case 'diff':
      return preview.isNew
        ? t('approvals.create', { path: shownPath(preview.path, mount) })
        : t('approvals.edit', { path: shownPath(preview.path, mount) });
    case 'delete':
      return preview.isDirectory
        ? t('approvals.deleteFolder', { path: shownPath(preview.path, mount) })
        : t('approvals.deleteFile', { path: shownPath(preview.path, mount) });
    case 'arguments':
      return t('approvals.tool', { tool });
    case 'problem':
      return t('approvals.problem');
    default:
      return preview satisfies never;
  }
}
