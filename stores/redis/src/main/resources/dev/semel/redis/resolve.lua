-- KEYS record marker
-- ARGV seen token decision [reason nonce] [(result active free total), one packed string, and outcome]
local function resolve(keys, args)
  local now = microseconds()
  local state, _, _, _, _, _, token, attempt, _, lease_until = read_head(keys[1])
  local lapsed = state == 'p' and now >= lease_until
  local open = lapsed or state == 'u'
  local settled = state == 's' or state == 'f'
  local erase = args[3] == 'erase'
  if token ~= tonumber(args[2]) or (erase and not settled) or (not erase and not open) then
    return 0
  end
  local extras = extras_of(keys[1])
  local marker = read_marker(keys[2], now, args[1])
  if erase or args[3] == 'forget' then
    forget(keys[1], keys[2])
  elseif args[3] == 'settle' then
    note(extras, now, attempt, token, 'resolved', args[4])
    local record = redis.call('GET', keys[1])
    local result, active, free, total = struct.unpack('>c1ddd', args[6])
    local head, score, gone = settlement(now, result, active, free, total)
    -- Another nonce, so that the attempt that owned the key can no longer write to it.
    redis.call('SET', keys[1],
      head .. '1' .. string.sub(record, AT_EXTRAS + 2, AT_NONCE) .. args[5] .. string.sub(record, AT_NONCE + 17)
        .. args[7],
      'PXAT', gone)
    redis.call('PEXPIREAT', extras, gone)
    if marker.clock then
      list_key(marker, keys[1], score)
    end
  elseif lapsed then
    note(extras, now, attempt, token, 'marked unknown', args[4])
    set_state(keys[1], 'u')
    mark_extras(keys[1])
  end
  return write_marker(marker, now)
end
