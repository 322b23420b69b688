import type { Output } from '@contract/commands';
import type { Approval } from '@contract/conversation';
import type { Outcome } from '@contract/outcome';
import { useState } from 'react';
import { call } from '../../link';
import { Button, Diff } from '../../ui';

/** Pixels. */
const TALLEST = 240;

/** The files that a command changed in its layer, each with its difference. */
export const OutcomeRows = ({ approval, outcome }: { approval: Approval; outcome: Outcome }) => (
  <ul className="border-t border-line px-3 py-2">
    {outcome.rows.map(({ path }) => (
      <OutcomeFile key={path} approval={approval} path={path} />
    ))}
  </ul>
);

const OutcomeFile = ({ approval: { threadId, id }, path }: { approval: Approval; path: string }) => {
  const [diff, setDiff] = useState<Output<'rehearsal.diff'>>();
  const show = async () => {
    const result = await call('rehearsal.diff', { threadId, approvalId: id, path });
    if (result.ok) setDiff(result.value);
  };
  return (
    <li>
      <Button size="sm" variant="ghost" onClick={() => void show()}>
        {path}
      </Button>
      {diff !== undefined && <Diff hunks={diff.hunks} maxHeight={TALLEST} label={path} file={path} />}
    </li>
  );
};
