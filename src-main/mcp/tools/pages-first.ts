import { UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { englishForModel } from '../../../src-renderer/i18n/english';
import { because, type Reason } from '../../contract/shared/reasons';
import { type QuestionAnswer, questionOf, type ServerQuestion } from '../questions';
import { ToolFailed } from './results';

/** Pages that one refusal can name, and times that a call is repeated. */
const MAX_PAGES = 5;
const MAX_REPEATS = 5;

const Pages = z
  .array(z.object({ url: z.string(), message: z.string(), elicitationId: z.string() }))
  .min(1)
  .max(MAX_PAGES);

type Ask = (question: ServerQuestion, signal: AbortSignal) => Promise<QuestionAnswer>;

interface PagesCall<T> {
  server: string;
  tool: string;
  signal: AbortSignal;
  run(): Promise<T>;
  ask: Ask;
}

/**
 * The pages that a server wants the person to finish on before it runs a call (error -32042). Nothing opens by itself: the
 * person is asked for each page. Once they have opened it, the call waits until the server reports that they have finished, or
 * until they say so, and is then repeated.
 */
export class PagesFirst {
  /** By the id of a page that the person is on. */
  private readonly open = new Map<string, AbortController>();

  /** The server reports that the person has finished on a page. */
  finished(id: string): void {
    this.open.get(id)?.abort();
  }

  /** The answer to the call. Rejects like `run`, or with `ToolFailed` if the person does not open a page. */
  async answered<T>({ run, ...call }: PagesCall<T>): Promise<T> {
    for (let repeats = 0; ; repeats += 1) {
      try {
        return await run();
      } catch (error) {
        if (!(error instanceof UrlElicitationRequiredError)) throw error;
        if (repeats === MAX_REPEATS)
          throw failedBecause(because('mcp_call_repeated', { ...named(call), times: MAX_REPEATS }));
        const pages = Pages.safeParse(error.elicitations);
        if (!pages.success) throw failedBecause(because('mcp_call_page_unusable', named(call)));
        for (const page of pages.data) await this.visit(page, call);
      }
    }
  }

  private async visit(
    { url, message, elicitationId: id }: z.infer<typeof Pages>[number],
    call: Omit<PagesCall<unknown>, 'run'>,
  ): Promise<void> {
    const { server, signal, ask } = call;
    const question = questionOf(server, { mode: 'url', url, message, elicitationId: id });
    if (question === null) throw failedBecause(because('mcp_call_page_unusable', named(call)));
    const finished = new AbortController();
    this.open.set(id, finished);
    const answered = async (step: 'first' | 'finish', until: AbortSignal) => {
      const { action } = await ask({ ...question, step }, until);
      if (action === 'accept') return;
      const values = { ...named(call), host: new URL(url).host };
      throw failedBecause(
        action === 'decline'
          ? because('mcp_call_page_declined', values)
          : because('mcp_call_page_unanswered', values),
      );
    };
    try {
      await answered('first', signal);
      if (!finished.signal.aborted) await answered('finish', AbortSignal.any([signal, finished.signal]));
    } catch (error) {
      if (signal.aborted || !finished.signal.aborted) throw error;
    } finally {
      this.open.delete(id);
    }
  }
}

const named = ({ server, tool }: { server: string; tool: string }) => ({ server, tool });

const failedBecause = (why: Reason) => new ToolFailed(englishForModel.sentences([why]), [why]);
