-- Claims and settles that came at the same time, each with its own answer. What a call costs however little it does is
-- most of what one of them would cost alone: so all is read at once, worked out, and written at once. Nothing is written
-- before all of it is known, so a batch that fails has done nothing, and its calls can be tried one by one.
-- KEYS the record of each, then the marker of each bucket
-- ARGV one packed string, because each argument costs as much as a small command: whether something has to be written in
-- any case, the epoch, the term and the clock that were seen of each bucket, then for each call what it is (c claim, s
-- settle), whether a call before it has the same key, the number of its bucket, and its own head; then the body of each
-- Returns the answer of each, then the term and the clock of each bucket, packed (0 and 0 where claims are refused)

-- Writes what was worked out. What can fail comes first.
local function write(work)
  for _, change in ipairs(work.extras) do
    change()
  end
  local replaced = work.replaced
  for _, marker in ipairs(work.markers) do
    if marker.changed then
      replaced[#replaced + 1] = marker.name
      replaced[#replaced + 1] = pack_marker(marker)
    end
  end
  local fresh = work.fresh
  if #fresh > 0 and redis.call('MSETNX', unpack(fresh)) == 0 then
    -- MGET does not tell what is no string from what is not there; GET says so.
    for i = 1, #fresh, 2 do
      redis.call('GET', fresh[i])
    end
    error('a record is there that was not')
  end
  local settled = work.settled
  for i = 1, #settled, 3 do
    redis.call('SET', settled[i], settled[i + 1], 'PXAT', settled[i + 2])
  end
  if #replaced > 0 then
    redis.call('MSET', unpack(replaced))
  end
  work.extras, work.fresh, work.settled, work.replaced = {}, {}, {}, {}
end

local function batch(keys, args)
  local heads = args[1]
  local calls = #args - 1
  local now = microseconds()
  local found = redis.call('MGET', unpack(keys))
  local work = { now = now, markers = {}, extras = {}, fresh = {}, settled = {}, replaced = {} }
  local writes, epoch, at = struct.unpack('>Bd', heads)
  local term, clock
  for i = calls + 1, #keys do
    term, clock, at = struct.unpack('>dd', heads, at)
    local marker = open_marker(keys[i], found[i], now, epoch, term, clock)
    -- A caller that waits for replicas must have written something to wait for.
    if writes == 1 and marker.clock then
      tick(marker, now)
    end
    work.markers[i - calls] = marker
  end

  -- What was found makes room for the answers one by one: a table that grows is dear.
  for i = 1, calls do
    local name, record = keys[i], found[i]
    local kind, again, number = string.byte(heads, at, at + 2)
    if again == 1 then
      write(work)
      record = redis.call('GET', name)
    end
    local run = kind == 99 and claim or settle
    found[i], at = run(work, work.markers[number], name, record, heads, at + 3, args[i + 1])
  end
  write(work)
  for i, marker in ipairs(work.markers) do
    found[calls + i] = marker.refusal and struct.pack('>dd', 0, 0) or struct.pack('>dd', marker.term, marker.clock)
  end
  return found
end
