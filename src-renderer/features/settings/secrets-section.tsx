import { useState } from 'react';
import { useT } from '../../i18n';
import { call, toast, useProjectChoice } from '../../link';
import { Button } from '../../ui';

/**
 * Whether likely secrets of a project are withheld; turning it off is asked once more. Its project is chosen above, where the rules
 * begin.
 */
export const SecretsSection = () => {
  const t = useT();
  const { project } = useProjectChoice();
  const [asks, setAsks] = useState(false);
  if (project === undefined) return null;
  const guarded = project.secretsShown !== true;
  const set = async (on: boolean) => {
    setAsks(false);
    const result = await call('secrets.guard', {
      projectId: project.id,
      on,
      ...(on ? {} : { confirmed: true }),
    });
    if (!result.ok) toast(result.error.message);
  };
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-title font-semibold">{t('secrets.title')}</h3>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="shrink-0 accent-accent"
          checked={guarded}
          onChange={(event) => (event.target.checked ? void set(true) : setAsks(true))}
        />
        {t('secrets.guard')}
      </label>
      <p className="text-small text-fg-3">{t('secrets.guardHint', { project: project.name })}</p>
      {!guarded && <p className="text-ask-text">{t('secrets.off')}</p>}
      {asks && (
        <div role="alert" className="flex flex-wrap items-center gap-2">
          <p className="text-deny">{t('secrets.turnOff', { project: project.name })}</p>
          <Button size="sm" variant="danger" onClick={() => void set(false)}>
            {t('secrets.turnOffConfirm')}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => setAsks(false)}>
            {t('secrets.cancel')}
          </Button>
        </div>
      )}
    </section>
  );
};
