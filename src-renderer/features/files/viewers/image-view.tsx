import { Grid2x2, Maximize2, ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { useFormats, useT } from '../../../i18n';
import { IconButton } from '../../../ui';
import { nameOf, type Place, useAddress } from './place';
import { STEP, useZoom } from './use-zoom';
import { Failed, failedOf, Kept, Waiting } from './waiting';

const look = { size: 16 };

/** An image, fitted at first. Buttons, keys or Ctrl and the wheel zoom it. Transparent parts show a checkerboard. */
export const ImageView = ({ place }: { place: Place }) => {
  const t = useT();
  const { bytes } = useFormats();
  const answer = useAddress(place);
  const [size, setSize] = useState<{ width: number; height: number }>();
  const { box, picture, zoom, setZoom, by, hold, onKeyDown } = useZoom(size);
  const [squares, setSquares] = useState(true);
  const [broken, setBroken] = useState<string>();

  if (answer.phase !== 'there') return <Waiting answer={answer} />;
  const isBroken = broken === answer.value.url;
  return (
    <Kept failed={failedOf(answer)}>
      <div className="flex h-full flex-col">
        <div className="flex h-8 shrink-0 items-center gap-0.5 border-b border-line px-1.5">
          <span className="min-w-0 grow truncate px-1.5 text-small text-fg-3 tabular-nums">
            {size && !isBroken && `${size.width} × ${size.height} · `}
            {bytes(answer.value.size)}
            {zoom !== null && ` · ${Math.round(zoom * 100)}%`}
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
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it scrolls, and the buttons above have the same keys */}
        <div
          ref={box}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
          tabIndex={0}
          onKeyDown={onKeyDown}
          onDoubleClick={(event) => {
            hold(event.clientX, event.clientY);
            setZoom(zoom === null ? 1 : null);
          }}
          className="grid min-h-0 grow place-items-center overflow-auto bg-sunken p-4 -outline-offset-2"
        >
          {isBroken ? (
            <Failed error={{ message: t('files.imageBroken') }} />
          ) : (
            <img
              ref={picture}
              {...(answer.value.scale === undefined
                ? { src: answer.value.url }
                : { srcSet: `${answer.value.url} ${answer.value.scale}x` })}
              alt={nameOf(place.path)}
              onLoad={({ currentTarget }) =>
                setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
              }
              onError={() => setBroken(answer.value.url)}
              className={squares ? 'checkerboard' : undefined}
              style={{
                ...(zoom === null
                  ? { maxWidth: '100%', maxHeight: '100%', minWidth: 0, minHeight: 0, objectFit: 'contain' }
                  : { width: (size?.width ?? 0) * zoom, maxWidth: 'none' }),
                imageRendering: zoom !== null && zoom > 2 ? 'pixelated' : 'auto',
              }}
            />
          )}
        </div>
      </div>
    </Kept>
  );
};
