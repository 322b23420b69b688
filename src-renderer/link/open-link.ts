import { toast } from './intent';
import { call } from './store';

/** Opens a URL in the person's browser or mail program; the main process asks first. Says why if it cannot. */
export async function openLink(url: string): Promise<void> {
  const result = await call('link.open', { url });
  if (!result.ok) toast(result.error.message);
}
