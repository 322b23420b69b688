import type { Approval } from '@contract/approvals';
import type { Translate } from '../../i18n';

/** The path as users write it: relative inside the project folder, absolute elsewhere. */
export const shownPath = (path: string, mount: string): string =>
  mount !== '' && path.startsWith(`${mount}/`) ? path.slice(mount.length + 1) : path;

/** Describes what will happen, from the preview and never from the model's text. */
export function headingOf(approval: Approval, mount: string, t: Translate): string {
  const { preview, outcome, allowed } = approval;
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
    case 'questions': {
      const { agent } = approval;
      const count = preview.questions.length;
      return agent === undefined
        ? t('questions.heading', { count })
        : t('questions.headingOf', { agent, count });
    }
    case 'timeout':
      return t('approvals.timeIsUp');
    case 'form':
      if (preview.step === 'first') return t('approvals.pageFirst', { server: preview.server });
      return preview.step === 'finish'
        ? t('approvals.pageFinish', { host: hostOf(preview.url ?? '') })
        : t('approvals.serverAsks', { server: preview.server });
    case 'arguments':
      return callHeading(approval, mount, t);
    case 'problem':
      return t('approvals.problem');
    default:
      return preview satisfies never;
  }
}

export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The address of a page to be read, unless the call says more than that. */
export const addressOf = ({ display, args }: Approval): string | undefined =>
  display === 'fetch' && typeof args.url === 'string' && Object.keys(args).length === 1
    ? args.url
    : undefined;

/** For calls without a preview of their own. A tool that Deepdesk does not know appears under its name. */
function callHeading({ tool, display, args }: Approval, mount: string, t: Translate): string {
  const path = text(args.file_path ?? args.path);
  const place = path === '' || path === '/' || path === mount ? t('tools.folder') : shownPath(path, mount);
  const pattern = text(args.pattern);
  switch (display) {
    case 'read':
      return t('approvals.read', { path: place });
    case 'fetch':
      return t('approvals.fetch', { host: hostOf(text(args.url)) });
    case 'remote-start':
      return t('approvals.remoteStart', { agent: text(args.agentName) });
    case 'remote-update':
      return t('approvals.remoteUpdate');
    case 'list':
      return t('approvals.list', { path: place });
    case 'search':
      return t('approvals.search', { pattern, place });
    case 'match':
      return t('approvals.match', { pattern, place });
    default:
      return t('approvals.tool', { tool });
  }
}
