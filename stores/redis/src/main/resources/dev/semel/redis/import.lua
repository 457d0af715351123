-- Takes over a record of another store. Its times are relative to when it was read there.
-- KEYS record marker
-- ARGV (epoch term clock) (state nonce fingerprint token attempt claimed until settled expires) who outcome history, then
-- the name and the result of each step; what is in brackets is one packed string
local function import(keys, args)
  local now = microseconds()
  local refusal, marker, term, clock, new_term =
    enter(keys[2], redis.call('GET', keys[2]), now, struct.unpack('>ddd', args[1]))
  if refusal then
    return refusal
  end
  local state, nonce, fingerprint, token, attempt, claimed, lease_until, settled, expires =
    struct.unpack('>c1c16c33dI4dddd', args[2])
  local extras_key = extras_of(keys[1])
  local before, _, _, print, token_before, _, _, _, _, _, free = read_head(keys[1])
  if before then
    local over = (before == 's' or before == 'f') and now >= free
    if not over or token_before >= token then
      if new_term then
        redis.call('SET', keys[2], marker)
      end
      local same = token_before == token and before == state and print == fingerprint
      return { 'known', term, clock, same and 1 or 0 }
    end
  end
  -- The tokens to come are larger than both.
  clock = math.max(now, clock + 1, token)
  redis.call('UNLINK', extras_key)
  local extras = args[5] ~= '' or #args > 5
  local purge = state == 'u' and 0 or now + expires
  local head = struct.pack(HEAD, state, extras and '1' or '0', nonce, fingerprint, token, attempt, now + claimed,
    now + lease_until, now + settled, now + expires, purge, purge, #args[3])
  redis.call('SET', keys[1], head .. args[3] .. args[4])
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
  redis.call('SET', keys[2], list_key(marker, keys[2], keys[1], clock, purge))
  return { 'imported', term, clock, 1 }
end
