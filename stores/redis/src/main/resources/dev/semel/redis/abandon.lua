-- KEYS record bucket
-- ARGV nonce reason token
local function abandon(keys, args)
  local record = redis.call('HMGET', keys[1], 'state', 'nonce', 'attempt', 'token')
  if record[2] ~= args[1] or record[4] ~= args[3] or (record[1] ~= 'p' and record[1] ~= 'u') then
    return { 0, 0, 0 }
  end
  local now = microseconds()
  if record[1] == 'p' then
    redis.call('HSET', keys[1], 'state', 'u')
    note(keys[1], now, record[3], record[4], 'marked unknown', args[2])
  end
  return { 1, tick(keys[2], now) }
end
