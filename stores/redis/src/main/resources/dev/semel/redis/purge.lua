-- KEYS marker, then the record of each key
local function purge(keys, args)
  local index = refresh(keys[1])
  local now = microseconds()
  local removed = 0
  for i = 2, #keys do
    local state, _, _, _, purge_at = read_head(keys[i])
    if not state then
      -- Its time to live has ended.
      redis.call('ZREM', index, digest_of(keys[i]))
    elseif (state == 's' or state == 'f') and now >= purge_at then
      redis.call('UNLINK', keys[i], extras_of(keys[i]))
      redis.call('ZREM', index, digest_of(keys[i]))
      removed = removed + 1
    end
  end
  return { removed }
end
