-- KEYS record bucket index
-- ARGV nonce token
local function release(keys, args)
  local record = redis.call('HMGET', keys[1], 'state', 'nonce', 'token')
  if record[2] ~= args[1] or record[3] ~= args[2] or (record[1] ~= 'p' and record[1] ~= 'u') then
    return { 0, 0, 0 }
  end
  forget(keys[1], keys[3])
  return { 1, tick(keys[2], microseconds()) }
end
