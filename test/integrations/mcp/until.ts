/** Lets the event loop turn until something is so: what a server sees of a call comes when it comes. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((turn) => setImmediate(turn))
}
