-- KEYS record marker
-- ARGV seen token decision [reason nonce] [(result active free total), one packed string, and outcome]
local function resolve(keys, args)
  local now = microseconds()
  local record = read_record(keys[1])
  if not record or record.token ~= tonumber(args[2]) then
    return 0
  end
  local lapsed = record.state == 'p' and now >= record.lease_until
  local open = lapsed or record.state == 'u'
  local erase = args[3] == 'erase'
  if (erase and not is_settled(record)) or (not erase and not open) then
    return 0
  end
  local extras = extras_of(keys[1])
  local marker = read_marker(keys[2], now, args[1])
  if erase or args[3] == 'forget' then
    forget(keys[1], keys[2])
  elseif args[3] == 'settle' then
    note(extras, now, record.attempt, record.token, 'resolved', args[4])
    mark_extras(keys[1])
    local before = redis.call('GET', keys[1])
    local settled, score, gone = settlement(now, struct.unpack('>c1ddd', args[6]))
    -- Another nonce, so that the attempt that owned the key can no longer write to it.
    redis.call('SET', keys[1],
      string.sub(before, 1, AT_NONCE) .. args[5] .. string.sub(before, AT_NONCE + 17) .. settled .. args[7],
      'PXAT', gone)
    redis.call('PEXPIREAT', extras, gone)
    if marker.clock then
      list_key(marker, keys[1], score)
    end
  elseif lapsed then
    note(extras, now, record.attempt, record.token, 'marked unknown', args[4])
    set_state(keys[1], 'u')
    mark_extras(keys[1])
  end
  return write_marker(marker, now)
end
