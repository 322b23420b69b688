import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useT } from '../../i18n';
import { lastIn, placesIn, usePlaces } from '../../link';
import { Button, LoadFailed, Skeleton, useFormFocus, useOpenForms } from '../../ui';
import { PlaceForm } from './place-form';
import { PlaceItem } from './place-item';
import { ProjectRules } from './project-rules';

/** Every place with its state, and a form to add one. */
export const PlacesSection = () => {
  const t = useT();
  const { list, reload } = usePlaces(null);
  const [adding, setAdding] = useState(false);
  const focus = useFormFocus(adding);
  const forms = useOpenForms(placesIn(list));
  if (list.phase === 'loading') return <Skeleton lines={5} />;
  const failed = list.phase === 'failed' ? <LoadFailed error={list.error} onRetry={reload} /> : null;
  if (lastIn(list) === undefined) return failed;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-small text-fg-3">{t('places.about')}</p>
      {failed}
      {forms.entries.length === 0 && !adding && <p className="text-fg-3">{t('places.empty')}</p>}
      {forms.entries.length > 0 && (
        <ul aria-label={t('places.list')} className="flex flex-col">
          {forms.entries.map(({ entry: place, isGone }) => (
            <PlaceItem
              key={place.id}
              place={place}
              isGone={isGone}
              isEditing={forms.isOpen(place.id)}
              onEditing={(isEditing) => forms.setOpen(place.id, isEditing)}
            />
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
