-- KEYS record
-- ARGV nonce lease token
local function renew(keys, args)
  local record = redis.call('HMGET', keys[1], 'state', 'nonce', 'token')
  if record[2] ~= args[1] or record[3] ~= args[3] or record[1] ~= 'p' then
    return { 0 }
  end
  redis.call('HSET', keys[1], 'until', microseconds() + args[2])
  return { 1 }
end
