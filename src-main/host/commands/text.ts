import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';
import { saveText } from '../window/save-text';

/** Handlers for writing text to a file that the person chooses. */
export function textHandlers({ desktop }: { desktop: DesktopServices }): HandlersOf<'text', Connection> {
  return {
    'text.save': ({ name, text }) => saveText(desktop, name.replace(/[\\/\0]/g, '_'), () => text),
  };
}
