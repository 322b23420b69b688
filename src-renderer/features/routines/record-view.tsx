import type { RoutineInfo, RoutineRecord } from '@contract/routines';
import { X } from 'lucide-react';
import { useT } from '../../i18n';
import { call, toast } from '../../link';
import { ExactText, IconButton } from '../../ui';

/** What the routine may repeat without a person. */
export const RecordView = ({ routine, record }: { routine: RoutineInfo; record: RoutineRecord }) => {
  const t = useT();
  const { calls } = record;
  if (calls.length === 0) return <p className="text-small text-fg-2">{t('routines.recordEmpty')}</p>;
  const forget = async (tool: string, about: string) => {
    const result = await call('routines.forget', { id: routine.id, tool, about });
    if (!result.ok) toast(result.error.message);
  };
  const shown = [...new Map(calls.map((one) => [`${one.tool}\n${one.about}`, one])).values()];
  return (
    <details className="text-small text-fg-2">
      <summary className="cursor-default">
        {t('routines.record', { count: shown.length })} · {t('routines.recordHint')}
      </summary>
      <ul className="mt-1 flex flex-col">
        {shown.map(({ tool, about }) => {
          const what = about === '' ? t('routines.anyCall') : about;
          return (
            <li key={`${tool}\n${about}`} className="flex min-w-0 items-center gap-2">
              <span className="shrink-0 text-fg-3">{tool}</span>
              <code className="min-w-0 grow truncate font-mono text-code" title={what}>
                <ExactText text={what} />
              </code>
              <IconButton
                size="sm"
                label={t('routines.forget', { call: what })}
                icon={<X size={14} />}
                onClick={() => void forget(tool, about)}
              />
            </li>
          );
        })}
      </ul>
    </details>
  );
};
