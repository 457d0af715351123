-- KEYS record marker
-- ARGV seen nonce token reason
local function abandon(keys, args)
  local record = read_own(keys[1], args[2], args[3])
  if not record or is_settled(record) then
    return 0
  end
  local now = microseconds()
  if record.state == 'p' then
    note(extras_of(keys[1]), now, record.attempt, record.token, 'marked unknown', args[4])
    set_state(keys[1], 'u')
    mark_extras(keys[1])
  end
  return write_marker(read_marker(keys[2], now, args[1]), now)
end
