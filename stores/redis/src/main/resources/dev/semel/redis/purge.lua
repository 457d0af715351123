-- KEYS marker, then the record of each key
local function purge(keys, args)
  local index = index_of(keys[1])
  local now = microseconds()
  local removed = 0
  for i = 2, #keys do
    local record = read_record(keys[i])
    if not record then
      -- Its time to live has ended.
      redis.call('ZREM', index, digest_of(keys[i]))
    elseif is_settled(record) and now >= record.purge then
      redis.call('UNLINK', keys[i], extras_of(keys[i]))
      redis.call('ZREM', index, digest_of(keys[i]))
      removed = removed + 1
    end
  end
  return { removed }
end
