-- KEYS record marker
-- ARGV seen nonce token
local function release(keys, args)
  local record = read_own(keys[1], args[2], args[3])
  if not record or is_settled(record) then
    return 0
  end
  local now = microseconds()
  forget(keys[1], keys[2])
  return write_marker(read_marker(keys[2], now, args[1]), now)
end
