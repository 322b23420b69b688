import type { Db } from '../base/sqlite/db';
import type { UsageRow } from '../contract/commands/usage';
import { ProjectId } from '../contract/ids';

/** Rows of a report. A year of a person who uses ten models in ten projects each day has fewer. */
const MAX_ROWS = 50_000;

/** Tokens and cost of requests by day, model and project, both days (YYYY-MM-DD) included; oldest first. */
export function openUsageReport(db: Db): (from: string, to: string) => UsageRow[] {
  type Row = Omit<UsageRow, 'projectId'> & { projectId: string | null };
  const select = db.prepare<[string, string, number], Row>(
    `SELECT s.day, s.model, t.project_id AS projectId, count(*) AS requests,
       coalesce(sum(s.input), 0) AS input, coalesce(sum(s.output), 0) AS output,
       coalesce(sum(s.cache_read), 0) AS cacheRead, coalesce(sum(s.cache_write), 0) AS cacheWrite,
       coalesce(sum(s.reasoning), 0) AS reasoning, coalesce(sum(s.cost), 0) AS cost,
       sum(s.cost IS NULL) AS unpriced, sum(s.input IS NULL) AS untold
     FROM spending s LEFT JOIN threads t ON t.id = s.thread_id
     WHERE s.day BETWEEN ? AND ?
     GROUP BY s.day, s.model, t.project_id ORDER BY s.day, s.model, t.project_id LIMIT ?`,
  );
  return (from, to) =>
    select.all(from, to, MAX_ROWS).map(({ projectId, ...row }) => ({
      ...row,
      projectId: projectId === null ? null : ProjectId.parse(projectId),
    }));
}
