-- KEYS record bucket index
-- ARGV nonce result outcome active free total token
local function settle(keys, args)
  local record = redis.call('HMGET', keys[1], 'state', 'nonce', 'token')
  if record[2] ~= args[1] or record[3] ~= args[7] then
    return { 0, 0, 0 }
  end
  local now = microseconds()
  local term, clock = tick(keys[2], now)
  if record[1] == 'p' or record[1] == 'u' then
    store_outcome(keys[1], keys[3], now, args, 2)
  end
  return { 1, term, clock }
end
