import type { FolderOffer } from '@contract/commands/project';
import { FolderDown } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useT } from '../i18n';
import { call, onHostEvent, toast } from '../link';
import { Button, Dialog, ExactText } from '../ui';
import { selectProject } from './ui-store';

/** Prompts for each folder that an external link wants to open. Nothing opens without consent. */
export const Offers = () => {
  const t = useT();
  const [offers, setOffers] = useState<readonly FolderOffer[]>([]);
  const load = useCallback(async () => {
    const result = await call('project.offers', {});
    if (result.ok) setOffers(result.value.offers);
  }, []);
  useEffect(() => {
    void load();
    return onHostEvent('offers.changed', () => void load());
  }, [load]);

  const [offer] = offers;
  const answer = async (open: boolean) => {
    if (offer === undefined) return;
    setOffers((now) => now.filter(({ id }) => id !== offer.id));
    const result = await call('project.answerOffer', { id: offer.id, open });
    if (!result.ok) toast(result.error.message);
    else if (result.value.project) selectProject(result.value.project.id, null);
  };
  return (
    <Dialog
      open={offer !== undefined}
      onOpenChange={(open) => !open && void answer(false)}
      title={t('offers.title')}
      description={t('offers.from')}
      footer={
        <>
          <Button onClick={() => void answer(false)}>{t('offers.refuse')}</Button>
          <Button onClick={() => void answer(true)}>{t('offers.open')}</Button>
        </>
      }
    >
      {offer !== undefined && (
        <p className="rounded-card border border-line bg-sunken px-3 py-2 font-mono text-code break-all">
          <ExactText text={offer.folder} oneLine />
        </p>
      )}
    </Dialog>
  );
};

/**
 * Tells what happens to a folder dragged over the window. The preload reports its path to the main process; here the drop is
 * only accepted, unless a part of the window has handled it.
 */
export const DropPlace = () => {
  const t = useT();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      const isFiles = event.dataTransfer?.types.includes('Files') === true;
      setOver(isFiles && !event.defaultPrevented);
      if (!isFiles || event.defaultPrevented || event.dataTransfer === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    };
    const onEnd = (event: DragEvent) => {
      // Moving from one element to another does not end the drag.
      if (event.type === 'dragleave' && event.relatedTarget !== null) return;
      setOver(false);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onEnd);
    window.addEventListener('drop', onEnd, true);
    window.addEventListener('dragend', onEnd);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onEnd);
      window.removeEventListener('drop', onEnd, true);
      window.removeEventListener('dragend', onEnd);
    };
  }, []);
  if (!over) return null;
  return (
    <p className="pointer-events-none fixed inset-x-0 bottom-4 z-50 mx-auto flex w-fit items-center gap-2 rounded-card border border-accent bg-raised px-3 py-2 shadow-float">
      <FolderDown aria-hidden size={16} />
      {t('offers.drop')}
    </p>
  );
};
