import { useT } from '../../i18n';
import { call, toast, useProjectChoice } from '../../link';

/**
 * Whether likely secrets of a project are redacted. The main process asks before it turns that off. The project is chosen at
 * the top of the rules section.
 */
export const SecretsSection = () => {
  const t = useT();
  const { project } = useProjectChoice();
  if (project === undefined) return null;
  const guarded = project.secretsShown !== true;
  const set = async (on: boolean) => {
    const result = await call('secrets.guard', {
      projectId: project.id,
      on,
      ...(on ? {} : { confirmed: true }),
    });
    if (!result.ok && result.error.kind !== 'cancelled') toast(result.error.message);
  };
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-title font-semibold">{t('secrets.title')}</h3>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="shrink-0 accent-accent"
          checked={guarded}
          onChange={(event) => void set(event.target.checked)}
        />
        {t('secrets.guard')}
      </label>
      <p className="text-small text-fg-3">{t('secrets.guardHint', { project: project.name })}</p>
      {!guarded && <p className="text-ask-text">{t('secrets.off')}</p>}
    </section>
  );
};
