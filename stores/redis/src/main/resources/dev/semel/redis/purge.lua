-- KEYS index, then the record and the extras of each key
local function purge(keys, args)
  local now = microseconds()
  local removed = 0
  for i = 2, #keys, 2 do
    local state, _, _, _, _, _, _, _, _, _, _, purge_at = read_head(keys[i])
    if not state then
      -- Its time to live has ended.
      redis.call('ZREM', keys[1], digest_of(keys[i]))
    elseif (state == 's' or state == 'f') and now >= purge_at then
      forget(keys[i], keys[i + 1], keys[1])
      removed = removed + 1
    end
  end
  return { removed }
end
