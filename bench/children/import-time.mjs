// How long one import takes in a process that has imported nothing else. Prints JSON.
const { url } = JSON.parse(process.argv[2])
const from = performance.now()
await import(url)
console.log(JSON.stringify({ ms: performance.now() - from }))
