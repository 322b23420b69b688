import type { ChangeAuthor } from '@contract/changes';
import type { Output } from '@contract/commands';
import { useCallback, useEffect, useState } from 'react';
import { useFormats, useT } from '../../i18n';
import { call, toast } from '../../link';
import type { Place } from './viewers/place';

type Blame = Output<'files.blame'>;

/** The author of each line, for the margin; undefined if not wanted or not available. */
export function useBlame({ projectId, path }: Place, wanted: boolean, changed: number) {
  const t = useT();
  const { moment } = useFormats();
  const [blame, setBlame] = useState<{ steps: Blame['steps']; owners: (number | null)[] }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: requests again when the file changes
  useEffect(() => {
    if (!wanted) {
      setBlame(undefined);
      return;
    }
    const controller = new AbortController();
    void call('files.blame', { projectId, path }, controller.signal).then((result) => {
      if (controller.signal.aborted) return;
      if (!result.ok) toast(result.error.message);
      else
        setBlame({
          steps: result.value.steps,
          owners: result.value.runs.flatMap(({ count, step }) => Array.from({ length: count }, () => step)),
        });
    });
    return () => controller.abort();
  }, [wanted, projectId, path, changed]);

  const margin = useCallback(
    (line: number) => {
      const owner = blame?.owners[line] ?? null;
      const step = owner === null ? undefined : blame?.steps[owner];
      if (step === undefined) return undefined;
      const who = authorOf(step.author, t('files.byPerson'), t('files.byAgent'), t('files.byRevert'));
      const detail = step.author.by === 'agent' ? (step.author.command ?? step.author.tool) : '';
      return { text: who, title: [who, detail, moment(step.at)].filter(Boolean).join(' · ') };
    },
    [blame, t, moment],
  );
  return blame === undefined ? undefined : margin;
}

function authorOf(author: ChangeAuthor, person: string, agent: string, revert: string): string {
  if (author.by === 'person') return person;
  if (author.by === 'revert') return revert;
  return author.by === 'agent' && author.agent !== null ? author.agent : agent;
}
