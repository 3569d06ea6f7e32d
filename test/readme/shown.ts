/** The lines that code says it prints, in order: what follows `// => `, beside the code or on lines of its own. */
export function shownIn(code: string): readonly string[] {
  return [...code.matchAll(/\/\/ =>(?: (.*))?$/gm)].map(([, shown = '']) => shown.trimEnd())
}
