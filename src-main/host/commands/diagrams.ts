import { Drawing } from '../../contract/commands/diagrams';
import { fail, ok } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';

/** Handlers for diagrams. Drawing can take forever, so the renderer does not do it. */
export function diagramsHandlers({
  desktop,
}: {
  desktop: DesktopServices;
}): HandlersOf<'diagrams', Connection> {
  return {
    'diagrams.draw': async ({ source, dark }) => {
      if (desktop.drawDiagram === undefined) return fail('unsupported', 'diagrams_in_window_only');
      try {
        const drawn = await desktop.drawDiagram(source, dark);
        if (drawn === null) return fail('timeout', 'diagram_too_slow');
        const drawing = Drawing.safeParse(drawn);
        return drawing.success ? ok(drawing.data) : fail('invalid', 'not_a_diagram');
      } catch (error) {
        return fail('invalid', 'not_a_diagram', {}, String(error).slice(0, 1_000));
      }
    },
  };
}
