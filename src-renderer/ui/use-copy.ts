import { createContext, useCallback, useContext } from 'react';
import { useWords } from './words';

type Tell = (message: string, action: { label: string; run: () => void }) => void;

const Context = createContext<Tell>(() => undefined);

/** Receives what to tell the person when the system does not let the app copy, with an action that tries again. */
export const CopyFailedProvider = Context.Provider;

/** Copies text, then calls `onCopied`. The system may refuse, for example while another window has the focus. */
export function useCopy(): (text: string, onCopied?: () => void) => void {
  const words = useWords();
  const tell = useContext(Context);
  return useCallback(
    function copy(text, onCopied): void {
      const refused = () =>
        tell(words.copyFailed, { label: words.tryAgain, run: () => copy(text, onCopied) });
      void navigator.clipboard.writeText(text).then(onCopied, refused);
    },
    [words, tell],
  );
}
