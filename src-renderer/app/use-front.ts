import { useEffect } from 'react';
import { call } from '../link';

/** Reports when the person focuses this window: it receives what is to be shown, and missing folders are checked. */
export function useFront(): void {
  useEffect(() => {
    const tell = () => void call('window.front', {});
    if (document.hasFocus()) tell();
    window.addEventListener('focus', tell);
    return () => window.removeEventListener('focus', tell);
  }, []);
}
