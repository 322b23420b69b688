import type { ChangeAuthor } from '@contract/changes';
import { useT } from '../../i18n';

/** Formats the author of a change. */
export function useAuthor(): (author: ChangeAuthor) => string {
  const t = useT();
  return (author) => {
    switch (author.by) {
      case 'person':
        return t('changes.byPerson');
      case 'revert':
        return t('changes.byRevert');
      case 'unclear':
        return author.command === undefined
          ? t('changes.byUnclear')
          : `${t('changes.byUnclear')} (${author.command})`;
      case 'agent': {
        const who =
          author.agent === null ? t('changes.byAgent') : t('changes.bySubAgent', { agent: author.agent });
        const how =
          author.command === undefined
            ? t('changes.withTool', { tool: author.tool })
            : t('changes.withCommand', { command: author.command });
        return `${who} ${how}${author.shared === true ? `; ${t('changes.shared')}` : ''}`;
      }
      default:
        return author satisfies never;
    }
  };
}
