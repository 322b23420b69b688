export async function makeStore(_path: string, _items: number): Promise<void> {}
