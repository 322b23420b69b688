import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';

const PROTOCOLS = ['http:', 'https:', 'mailto:'];

/** Handlers for links that lead out of the app. */
export function linkHandlers({ desktop }: { desktop: DesktopServices }): HandlersOf<'link', Connection> {
  return {
    'link.open': async ({ url }) => {
      const parsed = URL.canParse(url) ? new URL(url) : null;
      if (!parsed || !PROTOCOLS.includes(parsed.protocol)) return fail('denied', 'link_scheme');
      return ok({ opened: await desktop.openExternal(parsed) });
    },
  };
}
