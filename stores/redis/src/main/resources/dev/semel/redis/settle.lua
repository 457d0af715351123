-- head: nonce token result active free total; body: the outcome
local function settle(work, marker, name, record, heads, at, outcome)
  -- A nonce is four numbers here: they are cheaper than a string.
  local a, b, c, d, token, result, active, free, total
  a, b, c, d, token, result, active, free, total, at = struct.unpack('>I4I4I4I4dc1ddd', heads, at)
  -- What is no string was not found either; GET says so.
  record = record or redis.call('GET', name)
  if not record then
    return 0, at
  end
  local extras, owned, _, _, _, nonce_a, nonce_b, nonce_c, nonce_d =
    struct.unpack('>c1dI4ddI4I4I4I4', record, AT_EXTRAS + 1)
  if owned ~= token or nonce_a ~= a or nonce_b ~= b or nonce_c ~= c or nonce_d ~= d then
    return 0, at
  end
  if marker.clock then
    tick(marker, work.now)
  end
  local state = string.byte(record)
  if state ~= PENDING_BYTE and state ~= UNKNOWN_BYTE then
    return 1, at
  end
  -- The calls of a batch often have the same retention.
  if result ~= work.result or active ~= work.active or free ~= work.free or total ~= work.total then
    work.result, work.active, work.free, work.total = result, active, free, total
    work.head, work.score, work.gone = settlement(work.now, result, active, free, total)
  end
  local settled, gone = work.settled, work.gone
  settled[#settled + 1] = name
  settled[#settled + 1] = work.head .. string.sub(record, AT_EXTRAS + 1) .. outcome
  settled[#settled + 1] = gone
  if extras == '1' then
    work.extras[#work.extras + 1] = function() redis.call('PEXPIREAT', extras_of(name), gone) end
  end
  if marker.clock then
    list_key(marker, name, work.score)
  end
  return 1, at
end
