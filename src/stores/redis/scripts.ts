import { RENEWALS_KEPT } from '../../health/store.ts'

/**
 * Joins changes into what is kept, all or none, and tells them on. The server's own clock turns durations into times
 * and back, so that no two workers' clocks need agree.
 *
 * One hash holds a group in each field, one sorted set says when each may be forgotten. What has passed its time is
 * dropped at the next change, and both keys end with the last of it.
 *
 * Sent whole with each change: changes are rare, and a server that others fail over to has no script loaded.
 *
 * KEYS: hash, sorted set. ARGV: channel, changes. Answers for each change whether it put the first live mark there.
 */
export const WRITE: string = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, group in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do
  redis.call('HDEL', KEYS[1], group)
  redis.call('ZREM', KEYS[2], group)
end
local firsts, told = {}, {}
for place, write in ipairs(cjson.decode(ARGV[2])) do
  local kept = redis.call('HGET', KEYS[1], write.group)
  kept = kept and cjson.decode(kept) or { generation = 0, marks = {}, by = {} }
  local marks, by, generation, renewals = {}, {}, kept.generation, kept.renewals or {}
  local asked = type(write.generation) == 'number' and write.generation or nil
  local wasLive, isLive, changed = false, false, false
  local renew = write.renew
  for _, made in ipairs(renewals) do
    if made == renew then renew = nil end
  end
  if renew then
    generation, changed = math.max(generation + 1, asked or 0), true
    table.insert(renewals, 1, renew)
    renewals[${RENEWALS_KEPT + 1}] = nil
  elseif asked and asked > generation then
    generation, changed = asked, true
  else
    for name, at in pairs(kept.marks) do
      if at > now then wasLive = true end
      if at + write.keepMs > now then marks[name], by[name] = at, kept.by[name] end
    end
  end
  if not asked or asked >= generation or renew then
    for name, ms in pairs(write.marks) do
      local at = now + ms
      if not marks[name] or at > marks[name] then marks[name], by[name], changed = at, write.by, true end
    end
  end
  local last = now
  for _, at in pairs(marks) do
    if at > now then isLive = true end
    if at > last then last = at end
  end
  firsts[place] = isLive and not wasLive
  if changed then
    local entry = { generation = generation, marks = marks, by = by, renewals = renewals }
    redis.call('HSET', KEYS[1], write.group, cjson.encode(entry))
    entry.group, entry.renewals = write.group, nil
    told[write.group] = entry
  end
  redis.call('ZADD', KEYS[2], 'GT', string.format('%.0f', last + write.keepMs), write.group)
end
local ends = string.format('%.0f', redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2])
redis.call('PEXPIREAT', KEYS[1], ends)
redis.call('PEXPIREAT', KEYS[2], ends)
local news = {}
for _, entry in pairs(told) do
  local left = {}
  for name, at in pairs(entry.marks) do left[name] = at - now end
  entry.marks = left
  news[#news + 1] = entry
end
if #news > 0 then redis.call('PUBLISH', ARGV[1], cjson.encode(news)) end
return cjson.encode(firsts)
`

/** All that is kept, with durations as they are now. KEYS: hash. */
export const READ: string = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept, entries = redis.call('HGETALL', KEYS[1]), {}
for place = 1, #kept, 2 do
  local entry = cjson.decode(kept[place + 1])
  entry.group, entry.renewals = kept[place], nil
  for name, at in pairs(entry.marks) do entry.marks[name] = at - now end
  entries[#entries + 1] = entry
end
return #entries > 0 and cjson.encode(entries) or '[]'
`
