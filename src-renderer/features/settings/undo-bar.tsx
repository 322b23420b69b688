import type { Settings } from '@contract/app';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../i18n';
import { useApp } from '../../link';
import { Button } from '../../ui';
import { SETTING_PLACES } from './settings-index';
import { differing, plain, setBack } from './settings-results';

/** What was changed last while the settings are open, with its way back; within the dialog, since all else is out of reach. */
export const UndoBar = () => {
  const t = useT();
  const settings = useApp((app) => app.settings);
  const before = useRef(settings);
  const undoing = useRef(false);
  const [last, setLast] = useState<{ names: (keyof Settings)[]; to: Settings; undone: boolean }>();
  useEffect(() => {
    const names = differing(before.current, settings);
    if (names.length > 0) setLast({ names, to: before.current, undone: undoing.current });
    undoing.current = false;
    before.current = settings;
  }, [settings]);
  const words = last?.names.flatMap((name) => {
    const place = SETTING_PLACES[name];
    return place === undefined ? [] : [plain(t, place.label)];
  });
  const setting = words?.join(', ') ?? '';
  return (
    <div
      role="status"
      className={
        last === undefined
          ? 'sr-only'
          : 'sticky bottom-0 z-10 mt-4 flex min-h-9 items-center gap-2 rounded-card border border-line-strong bg-raised py-1 pr-1 pl-3 shadow-float'
      }
    >
      {last !== undefined && (
        <>
          <span className="min-w-0 grow truncate">
            {t(last.undone ? 'data.undone' : 'data.changed', { setting })}
          </span>
          {!last.undone && (
            <Button
              size="sm"
              variant="ghost"
              className="text-accent"
              onClick={() => {
                undoing.current = true;
                void setBack(last.names, last.to);
              }}
            >
              {t('data.undo')}
            </Button>
          )}
        </>
      )}
    </div>
  );
};
