import type { McpServers } from '../../../mcp/servers';
import type { TurnTool } from '../../../mcp/tools/turn-tool';

/** The tools of MCP servers in a run, which servers may change while it works. */
export class ServerTools {
  /** Each tool by its name, also those that servers have removed meanwhile. */
  private readonly known: Map<string, TurnTool>;

  private constructor(
    /** The current ones; changed in place, so that the gate judges each call by them. */
    readonly now: TurnTool[],
    private readonly load: (signal: AbortSignal) => Promise<TurnTool[]>,
    private readonly versionNow: () => number,
    private version: number,
  ) {
    this.known = new Map(now.map((one) => [one.tool.name, one]));
  }

  static async open(
    mcp: Pick<McpServers, 'version'>,
    load: (signal: AbortSignal) => Promise<TurnTool[]>,
    signal: AbortSignal,
  ): Promise<ServerTools> {
    // Read first: a change during the load is noticed before the next request.
    const { version } = mcp;
    return new ServerTools(await load(signal), load, () => mcp.version, version);
  }

  /** A tool by its name, even if its server has removed it meanwhile. */
  find(name: string): TurnTool | undefined {
    return this.known.get(name);
  }

  /** Whether a request of the run may have contained descriptions of a folder's servers, which the person did not choose. */
  get hasFolderTools(): boolean {
    return [...this.known.values()].some(({ scope }) => scope === 'project');
  }

  /** Takes over what servers have changed. Costs nothing if they have not. */
  async refresh(signal: AbortSignal): Promise<void> {
    const version = this.versionNow();
    if (version === this.version) return;
    const loaded = await this.load(signal);
    if (signal.aborted) return;
    this.version = version;
    this.now.splice(0, this.now.length, ...loaded.map((one) => this.current(one)));
  }

  /** LangChain refuses a second object with the name of a registered tool, so the first one takes over what has changed. */
  private current(loaded: TurnTool): TurnTool {
    const { name } = loaded.tool;
    const known = this.known.get(name);
    if (known?.identity === loaded.identity && known.from[0] === loaded.from[0]) return known;
    const one = known === undefined ? loaded : { ...loaded, tool: Object.assign(known.tool, loaded.tool) };
    this.known.set(name, one);
    return one;
  }
}
