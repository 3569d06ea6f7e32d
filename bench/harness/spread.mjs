/** @param {readonly number[]} values */
export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The median of the processes with their smallest and largest. @param {readonly number[]} values */
export const spread = (values) => ({ median: median(values), min: Math.min(...values), max: Math.max(...values) })
