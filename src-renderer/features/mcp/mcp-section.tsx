import type { ProjectId } from '@contract/ids';
import type { McpServer } from '@contract/mcp';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { lastIn, useApp } from '../../link';
import { Button, ErrorNote, Field, LoadFailed, Select, Skeleton, useFormFocus } from '../../ui';
import { ServerForm } from './server-form';
import { ServerItem } from './server-item';
import { useServers } from './use-servers';

/** Every MCP server with its state: the person's own, which can be added and changed, and those that a project brings. */
export const McpSection = ({ projectId: shown }: { projectId: ProjectId | null }) => {
  const t = useT();
  const reasons = useReasons();
  const projects = useApp((app) => app.projects);
  const [chosen, setChosen] = useState<ProjectId | null>(null);
  const [adding, setAdding] = useState(false);
  const focus = useFormFocus(adding);
  const project = projects.find(({ id }) => id === (chosen ?? shown));
  const projectId = project?.id ?? null;
  const { list, reload } = useServers(projectId);
  if (list.phase === 'loading') return <Skeleton lines={5} />;
  const failed = list.phase === 'failed' ? <LoadFailed error={list.error} onRetry={reload} /> : null;
  const listed = lastIn(list);
  if (listed === undefined) return failed;
  const { servers, problems } = listed.value;
  const of = (scope: McpServer['scope']) =>
    servers.filter(
      (server) => server.scope === scope && (scope === 'person' || listed.input.projectId === projectId),
    );
  const items = (scope: McpServer['scope']) => (
    <ul className="flex flex-col">
      {of(scope).map((server) => (
        <ServerItem key={server.id} server={server} projectId={projectId} onChanged={reload} />
      ))}
    </ul>
  );
  return (
    <div className="flex flex-col gap-5">
      <p className="text-small text-fg-3">{t('mcp.about')}</p>
      {failed}
      {problems.map(({ source, why }) => (
        <ErrorNote
          key={source}
          message={t('app.labelled', { label: source, text: reasons.sentences([why]) })}
        />
      ))}
      <Part title={t('mcp.yours')}>
        {of('person').length === 0 ? <p className="text-fg-3">{t('mcp.empty')}</p> : items('person')}
        {adding ? (
          <div ref={focus.form}>
            <ServerForm
              server={null}
              onDone={() => {
                setAdding(false);
                reload();
              }}
              onCancel={() => setAdding(false)}
            />
          </div>
        ) : (
          <div>
            <Button ref={focus.opener} icon={<Plus size={14} />} onClick={() => setAdding(true)}>
              {t('mcp.add')}
            </Button>
          </div>
        )}
      </Part>
      {project !== undefined && (
        <Part title={t('mcp.ofProject', { project: project.name })}>
          {projects.length > 1 && (
            <div className="max-w-72">
              <Field label={t('mcp.project')}>
                {(ids) => (
                  <Select
                    {...ids}
                    options={projects.map(({ id, name }) => ({ value: id, label: name }))}
                    value={project.id}
                    onChange={(event) => {
                      const found = projects.find(({ id }) => id === event.target.value);
                      if (found) setChosen(found.id);
                    }}
                  />
                )}
              </Field>
            </div>
          )}
          {of('project').length === 0 ? (
            <p className="text-fg-3">{t('mcp.noProjectServers')}</p>
          ) : (
            items('project')
          )}
        </Part>
      )}
    </div>
  );
};

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="flex flex-col gap-2">
    <h3 className="text-title font-semibold">{title}</h3>
    {children}
  </section>
);
