import { useEffect } from 'react';
import { call } from '../link';

/** Tells when the person comes to this window: what wants to be shown is shown here, and missing folders are looked for. */
export function useFront(): void {
  useEffect(() => {
    const tell = () => void call('window.front', {});
    if (document.hasFocus()) tell();
    window.addEventListener('focus', tell);
    return () => window.removeEventListener('focus', tell);
  }, []);
}
