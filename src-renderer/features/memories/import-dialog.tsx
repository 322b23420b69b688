import type { ImportedMemory } from '@contract/commands/memories';
import { useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { call, toast } from '../../link';
import { Badge, Button, Dialog, ErrorNote, useFontScale, VirtualList } from '../../ui';

export interface ImportPreview {
  importId: string;
  entries: readonly ImportedMemory[];
}

const TONES = { new: 'ok', changed: 'ask', same: 'neutral', invalid: 'deny' } as const;
const WORDS = {
  new: 'memories.importNew',
  changed: 'memories.importChanged',
  same: 'memories.importSame',
  invalid: 'memories.importInvalid',
} as const;
const ORDER = ['invalid', 'changed', 'new', 'same'];
/** Height in pixels, at the default text size. */
const ROW = 28;
/** Rows visible without scrolling. */
const VISIBLE_ROWS = 12;

/** Previews what a folder would import. */
export const ImportDialog = ({ preview, onClose }: { preview: ImportPreview; onClose(): void }) => {
  const t = useT();
  const reasons = useReasons();
  const scale = useFontScale();
  const [error, setError] = useState<string>();
  const { importId, entries } = preview;
  const count = (...states: ImportedMemory['state'][]) =>
    entries.filter(({ state }) => states.includes(state)).length;
  const wanted = count('new', 'changed');
  const cancel = () => {
    void call('memories.dropImport', { importId });
    onClose();
  };
  const bringIn = async () => {
    const result = await call('memories.import', { importId });
    if (!result.ok) return setError(result.error.message);
    onClose();
    toast(t('memories.imported', { count: result.value.count }));
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && cancel()}
      title={t('memories.importTitle')}
      description={
        entries.length === 0
          ? t('memories.importNothing')
          : t('memories.importSummary', {
              added: count('new'),
              changed: count('changed'),
              same: count('same'),
              invalid: count('invalid'),
            })
      }
      footer={
        <>
          <Button variant="ghost" onClick={cancel}>
            {t('memories.cancel')}
          </Button>
          {wanted > 0 && (
            <Button variant="primary" onClick={() => void bringIn()}>
              {t('memories.importDo', { count: wanted })}
            </Button>
          )}
        </>
      }
    >
      {error !== undefined && <ErrorNote message={error} />}
      <div className="max-h-[50vh]" style={{ height: Math.min(entries.length, VISIBLE_ROWS) * ROW * scale }}>
        <VirtualList
          items={entries.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))}
          itemKey={({ path }) => path}
          rowHeight={ROW}
          role="list"
          aria-label={t('memories.importTitle')}
        >
          {({ path, state, reason }) => (
            <li className="flex h-full list-none items-center gap-2">
              <Badge tone={TONES[state]}>{t(WORDS[state])}</Badge>
              <span className="min-w-0 truncate" title={path}>
                {path.replace(/^\/memories\//, '')}
              </span>
              {reason !== undefined && (
                <span
                  className="min-w-0 grow truncate text-small text-fg-3"
                  title={reasons.sentences([reason])}
                >
                  {reasons.sentences([reason])}
                </span>
              )}
            </li>
          )}
        </VirtualList>
      </div>
    </Dialog>
  );
};
