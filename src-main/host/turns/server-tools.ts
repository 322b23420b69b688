import type { McpServers, TurnTool } from '../../mcp/servers';

/** The tools of MCP servers in a run, which servers may change while it works. */
export class ServerTools {
  private constructor(
    /** The current ones; changed in place, so that the gate judges each call by them. */
    readonly now: TurnTool[],
    private readonly load: (signal: AbortSignal) => Promise<TurnTool[]>,
    private readonly versionNow: () => number,
    private version: number,
  ) {}

  static async open(
    mcp: Pick<McpServers, 'version'>,
    load: (signal: AbortSignal) => Promise<TurnTool[]>,
    signal: AbortSignal,
  ): Promise<ServerTools> {
    // Read first: a change during the load is noticed before the next request.
    const { version } = mcp;
    return new ServerTools(await load(signal), load, () => mcp.version, version);
  }

  /** Takes over what servers have changed. Costs nothing if they have not. */
  async refresh(signal: AbortSignal): Promise<void> {
    const version = this.versionNow();
    if (version === this.version) return;
    const before = new Map(this.now.map((one) => [one.tool.name, one]));
    const loaded = await this.load(signal);
    if (signal.aborted) return;
    this.version = version;
    const kept = loaded.map((one) => {
      const known = before.get(one.tool.name);
      return known?.identity === one.identity && known.from[0] === one.from[0] ? known : one;
    });
    this.now.splice(0, this.now.length, ...kept);
  }
}
