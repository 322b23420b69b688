import type { ThreadState } from '@contract/conversation';
import { type ReactNode, useMemo } from 'react';
import { call, toast } from '../../link';
import { CodeActionsProvider, InlineCodeProvider } from '../../ui';
import { PathProject } from './path-code';
import { AnswerCode, OfferedRequests } from './request-code';

/** The main process asks for the location: the renderer knows no paths. */
async function saveText(name: string, text: string): Promise<void> {
  const result = await call('text.save', { name, text });
  if (!result.ok) toast(result.error.message);
}
const codeActions = { save: (name: string, text: string) => void saveText(name, text) };

interface AnswerPartsProps {
  state: ThreadState;
  mount: string;
  /** Takes a request that the offline assistant offers. */
  onRequest(request: string): void;
  children: ReactNode;
}

/** What answers can do: save code, open the files that they name, and offer requests. */
export const AnswerParts = ({ state, mount, onRequest, children }: AnswerPartsProps) => {
  const { projectId, model } = state.thread;
  const project = useMemo(() => ({ projectId, mount }), [projectId, mount]);
  return (
    <CodeActionsProvider value={codeActions}>
      <PathProject value={project}>
        <OfferedRequests value={model.startsWith('offline:') ? onRequest : null}>
          <InlineCodeProvider value={AnswerCode}>{children}</InlineCodeProvider>
        </OfferedRequests>
      </PathProject>
    </CodeActionsProvider>
  );
};
