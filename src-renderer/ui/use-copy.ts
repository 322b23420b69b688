import { createContext, useCallback, useContext } from 'react';
import { useWords } from './words';

type Tell = (message: string, action?: { label: string; run: () => void }) => void;

const Context = createContext<Tell>(() => undefined);

/** Receives what to tell the person after a copy, or when the system refuses one, with an action that tries again. */
export const CopyToldProvider = Context.Provider;

/** `copied`: what to tell the person then, or what confirms it in another way. */
export type CopyText = (text: string, copied: string | (() => void)) => void;

/** Copies text and confirms it. The system may refuse, for example while another window has the focus. */
export function useCopy(): CopyText {
  const words = useWords();
  const tell = useContext(Context);
  return useCallback(
    function copy(text, copied): void {
      const confirm = typeof copied === 'string' ? () => tell(copied) : copied;
      const refused = () => tell(words.copyFailed, { label: words.tryAgain, run: () => copy(text, copied) });
      void navigator.clipboard.writeText(text).then(confirm, refused);
    },
    [words, tell],
  );
}
