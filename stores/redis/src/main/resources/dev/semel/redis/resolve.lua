-- KEYS record bucket index
-- ARGV token decision reason nonce [result outcome active free total]
local function resolve(keys, args)
  local now = microseconds()
  local record = redis.call('HMGET', keys[1], 'state', 'token', 'attempt', 'until')
  local lapsed = record[1] == 'p' and now >= tonumber(record[4])
  if record[2] ~= args[1] or not (lapsed or record[1] == 'u') then
    return { 0, 0, 0 }
  end
  if args[2] == 'forget' then
    forget(keys[1], keys[3])
  elseif args[2] == 'settle' then
    note(keys[1], now, record[3], record[2], 'resolved', args[3])
    -- Another nonce, so that the attempt that owned the key can no longer write to it.
    redis.call('HSET', keys[1], 'nonce', args[4])
    store_outcome(keys[1], keys[3], now, args, 5)
  elseif lapsed then
    redis.call('HSET', keys[1], 'state', 'u')
    note(keys[1], now, record[3], record[2], 'marked unknown', args[3])
  end
  return { 1, tick(keys[2], now) }
end
