import type { Settings } from '@contract/app';
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { listed, useT } from '../../i18n';
import { type UndoOffer, UndoOffers, useApp } from '../../link';
import { Button, IconButton } from '../../ui';
import { SETTING_PLACES } from './settings-index';
import { differing, plain, setBack } from './settings-results';

const pick = (settings: Settings, names: readonly (keyof Settings)[]): Partial<Settings> =>
  Object.fromEntries(names.map((name) => [name, settings[name]]));

/** The settings with a bar below to undo the last change. It is inside the dialog because nothing else is reachable. */
export const UndoScope = ({ children }: { children: ReactNode }) => {
  const t = useT();
  const settings = useApp((app) => app.settings);
  const before = useRef(settings);
  const isUndoing = useRef(false);
  /** The settings being restored: that change is not the person's. */
  const onTheirWay = useRef<Settings>(undefined);
  const [last, setLast] = useState<UndoOffer & { undone: boolean }>();
  const current = useRef<UndoOffer>(undefined);
  const put = useCallback((offer: UndoOffer | undefined) => {
    const { place, forget } = current.current ?? {};
    if (place === undefined || place !== offer?.place) forget?.();
    current.current = offer;
    setLast(offer && { ...offer, undone: false });
  }, []);
  useEffect(() => () => current.current?.forget?.(), []);
  useEffect(() => {
    if (last?.within === undefined || last.undone) return;
    const timer = setTimeout(() => put(undefined), last.within);
    return () => clearTimeout(timer);
  }, [last, put]);
  useEffect(() => {
    const to = before.current;
    before.current = settings;
    const names = differing(to, settings);
    if (names.length === 0) return;
    const wanted = onTheirWay.current;
    onTheirWay.current = undefined;
    if (wanted !== undefined && differing(wanted, { ...wanted, ...pick(settings, names) }).length === 0)
      return;
    const words = names.flatMap((name) => {
      const place = SETTING_PLACES[name];
      return place === undefined ? [] : [plain(t, place.label)];
    });
    const undo = () => {
      onTheirWay.current = to;
      return setBack(names, to);
    };
    put({ setting: listed(t, words), undo });
  }, [settings, put, t]);
  const undo = async () => {
    if (last === undefined || isUndoing.current) return;
    isUndoing.current = true;
    const isDone = await last.undo();
    isUndoing.current = false;
    // The offer is used, so there is nothing to forget.
    current.current = undefined;
    setLast(isDone ? { ...last, undone: true } : undefined);
  };
  return (
    <UndoOffers value={put}>
      {children}
      <div
        role="status"
        className={
          last === undefined
            ? 'sr-only'
            : // Covers the page's padding below, where scrolled content would still be visible.
              'sticky bottom-0 z-10 mt-4 after:absolute after:inset-x-0 after:top-full after:h-5 after:bg-raised flex min-h-10 items-center gap-2 border-t border-line bg-raised pt-1'
        }
      >
        {last !== undefined && (
          <>
            <span className="min-w-0 grow truncate">
              {last.undone
                ? t('data.undone', { setting: last.setting })
                : (last.said ?? t('data.changed', { setting: last.setting }))}
            </span>
            {!last.undone && (
              <Button size="sm" variant="ghost" className="text-accent!" onClick={() => void undo()}>
                {t('data.undo')}
              </Button>
            )}
            <IconButton label={t('data.dismiss')} icon={<X size={14} />} onClick={() => put(undefined)} />
          </>
        )}
      </div>
    </UndoOffers>
  );
};
