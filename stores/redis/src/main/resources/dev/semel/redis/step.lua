-- KEYS record bucket
-- ARGV nonce name result token
local function step(keys, args)
  local record = redis.call('HMGET', keys[1], 'state', 'nonce', 'token')
  if record[2] ~= args[1] or record[3] ~= args[4] or record[1] ~= 'p' then
    return { 0, 0, 0 }
  end
  redis.call('HSETNX', keys[1], 's:' .. args[2], args[3])
  return { 1, tick(keys[2], microseconds()) }
end
