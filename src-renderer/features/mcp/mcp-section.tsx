import type { ProjectId } from '@contract/ids';
import type { McpServer } from '@contract/mcp';
import { because } from '@contract/shared/reasons';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useReasons, useT } from '../../i18n';
import { lastIn, useApp } from '../../link';
import { Button, ErrorNote, Field, LoadFailed, Select, Skeleton, useFormFocus, useOpenForms } from '../../ui';
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
  const listed = lastIn(list);
  const isOwn = ({ scope }: McpServer) => scope === 'person';
  const forms = useOpenForms(listed?.value.servers.filter(isOwn) ?? []);
  if (list.phase === 'loading') return <Skeleton lines={5} />;
  const failed = list.phase === 'failed' ? <LoadFailed error={list.error} onRetry={reload} /> : null;
  if (listed === undefined) return failed;
  const { servers, problems } = listed.value;
  const ofProject = listed.input.projectId === projectId ? servers.filter((one) => !isOwn(one)) : [];
  /** A file that cannot be read may well have servers. */
  const isLeftOut = (whose: 'project' | 'person') =>
    problems.some(
      ({ source }) => (project !== undefined && source.startsWith(project.folder)) === (whose === 'project'),
    );
  const item = (server: McpServer, isGone = false) => (
    <ServerItem
      key={server.id}
      server={server}
      projectId={projectId}
      isGone={isGone}
      isEditing={forms.isOpen(server.id)}
      onEditing={(isEditing) => forms.setOpen(server.id, isEditing)}
      onChanged={reload}
    />
  );
  return (
    <div className="flex flex-col gap-5">
      <p className="text-small text-fg-3">{t('mcp.about')}</p>
      {failed}
      {problems.map(({ source, why }) => (
        <ErrorNote
          key={source}
          message={reasons.sentences([because('mcp_file_left_out', { path: source, why: [why] })])}
        />
      ))}
      <Part title={t('mcp.yours')}>
        {forms.entries.length === 0 ? (
          !isLeftOut('person') && <p className="text-fg-3">{t('mcp.empty')}</p>
        ) : (
          <ul className="flex flex-col">{forms.entries.map(({ entry, isGone }) => item(entry, isGone))}</ul>
        )}
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
          {ofProject.length === 0 ? (
            !isLeftOut('project') && <p className="text-fg-3">{t('mcp.noProjectServers')}</p>
          ) : (
            <ul className="flex flex-col">{ofProject.map((server) => item(server))}</ul>
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
