import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { lastIn, usePlaces } from '../../link';
import { Button, LoadFailed, Skeleton, useFormFocus } from '../../ui';
import { PlaceForm } from './place-form';
import { PlaceItem } from './place-item';
import { ProjectRules } from './project-rules';

/** Every place with its state, and a form to add one. */
export const PlacesSection = () => {
  const t = useT();
  const { list, reload } = usePlaces(null);
  const [adding, setAdding] = useState(false);
  const focus = useFormFocus(adding);
  if (list.phase === 'loading') return <Skeleton lines={5} />;
  const failed = list.phase === 'failed' ? <LoadFailed error={list.error} onRetry={reload} /> : null;
  const listed = lastIn(list)?.value;
  if (listed === undefined) return failed;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-small text-fg-3">{t('places.about')}</p>
      {failed}
      {listed.places.length === 0 && !adding && <p className="text-fg-3">{t('places.empty')}</p>}
      {listed.places.length > 0 && (
        <ul aria-label={t('places.list')} className="flex flex-col">
          {listed.places.map((place) => (
            <PlaceItem key={place.id} place={place} />
          ))}
        </ul>
      )}
      {adding ? (
        <div ref={focus.form}>
          <PlaceForm place={null} onDone={() => setAdding(false)} onCancel={() => setAdding(false)} />
        </div>
      ) : (
        <div>
          <Button ref={focus.opener} icon={<Plus size={14} />} onClick={() => setAdding(true)}>
            {t('places.add')}
          </Button>
        </div>
      )}
      <ProjectRules />
    </div>
  );
};
