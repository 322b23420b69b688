import { UrlElicitationRequiredError } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type QuestionAnswer, questionOf, type ServerQuestion } from './questions';
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
          throw new ToolFailed(
            `${call.tool} was repeated ${MAX_REPEATS} times, and the MCP server "${call.server}" still wants the person to open a page first.`,
          );
        const pages = Pages.safeParse(error.elicitations);
        if (!pages.success) throw new ToolFailed(unusable(call));
        for (const page of pages.data) await this.visit(page, call);
      }
    }
  }

  private async visit(
    { url, message, elicitationId: id }: z.infer<typeof Pages>[number],
    call: Omit<PagesCall<unknown>, 'run'>,
  ): Promise<void> {
    const { server, tool, signal, ask } = call;
    const question = questionOf(server, { mode: 'url', url, message, elicitationId: id });
    if (question === null) throw new ToolFailed(unusable(call));
    const finished = new AbortController();
    this.open.set(id, finished);
    const answered = async (step: 'first' | 'finish', until: AbortSignal) => {
      const { action } = await ask({ ...question, step }, until);
      if (action === 'accept') return;
      const why = action === 'decline' ? 'The person declined' : 'Nobody answered';
      throw new ToolFailed(
        `The MCP server "${server}" runs ${tool} only after the person has finished on ${new URL(url).host}. ${why}, so it was not run.`,
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

const unusable = ({ server, tool }: { server: string; tool: string }) =>
  `The MCP server "${server}" runs ${tool} only after the person has opened a page, and it named none that can be opened. It was not run.`;
