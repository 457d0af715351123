-- Takes over a record of another store. Its times are relative to when it was read there.
-- KEYS record marker
-- ARGV seen (state nonce fingerprint token attempt claimed until settled expires free purge) who outcome history, then the name and
-- the result of each step; what is in brackets is one packed string
local function import(keys, args)
  local now = microseconds()
  local marker = read_marker(keys[2], now, args[1])
  if marker.refusal then
    if marker.changed then
      redis.call('SET', keys[2], pack_marker(marker))
    end
    return marker.refusal
  end
  local state, nonce, fingerprint, token, attempt, claimed, lease_until, settled, expires, free, purge_after =
    struct.unpack('>c1c16c41dI4dddddd', args[2])
  local extras_key = extras_of(keys[1])
  local before = read_record(keys[1])
  if before then
    local over = is_settled(before) and now >= before.free
    if not over or before.token >= token then
      if marker.changed then
        redis.call('SET', keys[2], pack_marker(marker))
      end
      local same = before.token == token and before.state == state and before.fingerprint == fingerprint
      return { 'known', marker.term, marker.clock, same and 1 or 0 }
    end
  end
  -- The tokens to come are larger than both.
  marker.clock = math.max(now, marker.clock + 1, token)
  redis.call('UNLINK', extras_key)
  local extras = args[5] ~= '' or #args > 5
  local purge = state == 'u' and 0 or now + purge_after
  local record = struct.pack(HEAD, state == 'u' and 'u' or 'p', extras and '1' or '0', attempt, now + claimed,
    now + lease_until, token, nonce, fingerprint, #args[3]) .. args[3]
  if state ~= 'u' then
    record = record .. struct.pack(SETTLED, state, now + settled, now + expires, now + free, purge) .. args[4]
  end
  redis.call('SET', keys[1], record)
  if args[5] ~= '' then
    redis.call('HSET', extras_key, 'history', args[5])
  end
  for i = 6, #args, 2 do
    redis.call('HSET', extras_key, 's:' .. args[i], args[i + 1])
  end
  if state ~= 'u' then
    local gone = string.format('%.0f', math.ceil(purge / 1000) + 3600000)
    redis.call('PEXPIREAT', keys[1], gone)
    redis.call('PEXPIREAT', extras_key, gone)
  end
  list_key(marker, keys[1], string.format('%.0f', purge))
  redis.call('SET', keys[2], pack_marker(marker))
  return { 'imported', marker.term, marker.clock, 1 }
end
