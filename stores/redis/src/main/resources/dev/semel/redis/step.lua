-- KEYS record marker
-- ARGV seen nonce token name result
local function step(keys, args)
  local record = read_own(keys[1], args[2], args[3])
  if not record or record.state ~= 'p' then
    return 0
  end
  redis.call('HSETNX', extras_of(keys[1]), 's:' .. args[4], args[5])
  if record.extras == '0' then
    mark_extras(keys[1])
  end
  local now = microseconds()
  return write_marker(read_marker(keys[2], now, args[1]), now)
end
