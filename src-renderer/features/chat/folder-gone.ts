import { createContext, useContext } from 'react';
import { useT } from '../../i18n';

const Gone = createContext(false);

/** Whether the folder of the conversation's project is missing: its private copy was discarded, for example. */
export const FolderGone = Gone.Provider;

/** Why nothing can be done with files of the folder; undefined if it is there. */
export function useFolderGone(): string | undefined {
  const t = useT();
  return useContext(Gone) ? t('sidebar.folderMissing') : undefined;
}
