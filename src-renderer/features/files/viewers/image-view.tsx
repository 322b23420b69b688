import { Grid2x2, Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useFormats, useT } from '../../../i18n';
import { IconButton } from '../../../ui';
import { nameOf, type Place, useAddress } from './place';
import { Failed, Waiting } from './waiting';

const STEP = 1.25;
const SMALLEST = 0.02;
const LARGEST = 64;
const look = { size: 16 };

/** A picture: fitted at first, larger and smaller by buttons, keys or Ctrl and the wheel; see-through parts on squares. */
export const ImageView = ({ place }: { place: Place }) => {
  const t = useT();
  const { bytes } = useFormats();
  const answer = useAddress(place);
  const [size, setSize] = useState<{ width: number; height: number }>();
  /** Null: as large as fits, but not larger than it is. */
  const [zoom, setZoom] = useState<number | null>(null);
  const [squares, setSquares] = useState(true);
  const [isBroken, setBroken] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  /** What stays where it is when the picture becomes larger: a place on the screen, and what part of the picture it shows. */
  const held = useRef<{ x: number; y: number; across: number; down: number }>(undefined);
  const url = answer.phase === 'there' ? answer.value.url : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another picture may be whole
  useEffect(() => setBroken(false), [url]);

  const shown = () => {
    const room = box.current;
    if (zoom !== null || size === undefined || room === null) return zoom ?? 1;
    return Math.min(1, (room.clientWidth - 32) / size.width, (room.clientHeight - 32) / size.height);
  };
  const hold = (x: number, y: number) => {
    const now = picture.current?.getBoundingClientRect();
    if (now === undefined || now.width === 0 || now.height === 0) return;
    held.current = { x, y, across: (x - now.left) / now.width, down: (y - now.top) / now.height };
  };
  /** About a place on the screen, or the middle of what is seen. */
  const by = (factor: number, at?: { clientX: number; clientY: number }) => {
    const room = box.current?.getBoundingClientRect();
    if (room !== undefined)
      hold(at?.clientX ?? room.left + room.width / 2, at?.clientY ?? room.top + room.height / 2);
    setZoom(Math.max(SMALLEST, Math.min(LARGEST, shown() * factor)));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the zoom is what moved it
  useLayoutEffect(() => {
    const [room, now, kept] = [box.current, picture.current?.getBoundingClientRect(), held.current];
    held.current = undefined;
    if (room === null || now === undefined || kept === undefined) return;
    room.scrollLeft += now.left + kept.across * now.width - kept.x;
    room.scrollTop += now.top + kept.down * now.height - kept.y;
  }, [zoom]);
  const latest = useRef(by);
  latest.current = by;
  useEffect(() => {
    const room = box.current;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current(event.deltaY < 0 ? STEP : 1 / STEP, event);
    };
    // React listens passively, where nothing can be prevented.
    room?.addEventListener('wheel', onWheel, { passive: false });
    return () => room?.removeEventListener('wheel', onWheel);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === '+' || event.key === '=') by(STEP);
    else if (event.key === '-') by(1 / STEP);
    else if (event.key === '0') setZoom(null);
    else if (event.key === '1') setZoom(1);
    else return;
    event.preventDefault();
  };

  if (answer.phase !== 'there') return <Waiting answer={answer} />;
  if (isBroken) return <Failed error={{ message: t('files.imageBroken') }} />;
  return (
    <div className="flex h-full flex-col">
      <div className="flex h-8 shrink-0 items-center gap-0.5 border-b border-line px-1.5">
        <span className="min-w-0 grow truncate px-1.5 text-small text-fg-3 tabular-nums">
          {size && `${size.width} × ${size.height} · `}
          {bytes(answer.value.size)}
          {zoom !== null && ` · ${Math.round(zoom * 100)} %`}
        </span>
        <IconButton
          size="sm"
          label={t('files.squares')}
          pressed={squares}
          icon={<Grid2x2 {...look} />}
          onClick={() => setSquares(!squares)}
        />
        <IconButton
          size="sm"
          label={t('files.smaller')}
          icon={<ZoomOut {...look} />}
          onClick={() => by(1 / STEP)}
        />
        <IconButton
          size="sm"
          label={t('files.larger')}
          icon={<ZoomIn {...look} />}
          onClick={() => by(STEP)}
        />
        <IconButton
          size="sm"
          label={zoom === null ? t('files.realSize') : t('files.fit')}
          icon={<Maximize2 {...look} />}
          onClick={() => setZoom(zoom === null ? 1 : null)}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it scrolls, and its keys are those of the buttons above */}
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
        onDoubleClick={(event) => {
          hold(event.clientX, event.clientY);
          setZoom(zoom === null ? 1 : null);
        }}
        className="grid min-h-0 grow place-items-center overflow-auto bg-sunken p-4 -outline-offset-2"
      >
        <img
          ref={picture}
          {...(answer.value.scale === undefined
            ? { src: answer.value.url }
            : { srcSet: `${answer.value.url} ${answer.value.scale}x` })}
          alt={nameOf(place.path)}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={() => setBroken(true)}
          className={squares ? 'checkerboard' : undefined}
          style={{
            ...(zoom === null
              ? { maxWidth: '100%', maxHeight: '100%', minWidth: 0, minHeight: 0, objectFit: 'contain' }
              : { width: (size?.width ?? 0) * zoom, maxWidth: 'none' }),
            imageRendering: zoom !== null && zoom > 2 ? 'pixelated' : 'auto',
          }}
        />
      </div>
    </div>
  );
};
