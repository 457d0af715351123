-- head: token nonce (as in a record) result active free total; body: the outcome
local function settle(work, marker, name, record, heads, at, outcome)
  local owner = string.sub(heads, at, at + OWNER_LENGTH - 1)
  local terms = string.sub(heads, at + OWNER_LENGTH, at + OWNER_LENGTH + 24)
  at = at + OWNER_LENGTH + 25
  -- What is no string was not found either; GET says so.
  record = record or redis.call('GET', name)
  if not record or string.sub(record, AT_TOKEN + 1, AT_TOKEN + OWNER_LENGTH) ~= owner then
    return 0, at
  end
  if marker.clock then
    tick(marker, work.now)
  end
  if #record > length_of_claim(record) then
    return 1, at
  end
  -- The calls of a batch often have the same retention.
  if terms ~= work.settle_terms then
    work.settle_terms = terms
    work.settlement, work.score, work.gone = settlement(work.now, struct.unpack('>c1ddd', terms))
  end
  local settled, gone = work.settled, work.gone
  settled[#settled + 1] = name
  settled[#settled + 1] = record .. work.settlement .. outcome
  settled[#settled + 1] = gone
  if string.byte(record, AT_EXTRAS + 1) == HAS_EXTRAS then
    work.extras[#work.extras + 1] = function() redis.call('PEXPIREAT', extras_of(name), gone) end
  end
  if marker.clock then
    list_key(marker, name, work.score)
  end
  return 1, at
end
