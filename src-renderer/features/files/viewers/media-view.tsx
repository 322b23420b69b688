import { useEffect, useState } from 'react';
import { useT } from '../../../i18n';
import { nameOf, type Place, useAddress } from './place';
import { Failed, Waiting } from './waiting';

/** Sound or a film, played from the disk as it is needed. */
export const MediaView = ({ place, kind }: { place: Place; kind: 'audio' | 'video' }) => {
  const t = useT();
  const answer = useAddress(place);
  const [isBroken, setBroken] = useState(false);
  const url = answer.phase === 'there' ? answer.value.url : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file may be whole
  useEffect(() => setBroken(false), [url]);
  if (answer.phase !== 'there') return <Waiting answer={answer} />;
  if (isBroken) return <Failed error={{ message: t('files.mediaBroken') }} />;
  const shared = {
    src: answer.value.url,
    controls: true,
    preload: 'metadata' as const,
    'aria-label': nameOf(place.path),
    onError: () => setBroken(true),
  };
  return (
    <div className="grid h-full place-items-center bg-sunken p-4">
      {kind === 'audio' ? (
        <audio {...shared} className="w-full max-w-lg" />
      ) : (
        <video {...shared} className="max-h-full max-w-full" />
      )}
    </div>
  );
};
