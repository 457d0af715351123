-- What happens to keys. A call of the owner is decided here; whatever else can happen to a key that is there is decided in
-- Java on the record as it was found, and written by swap() if it is still the same.
--
-- A record is a string, because one string is one write and costs a fraction of a hash:
--
--   1       whether it is marked unknown: p for no, u for yes
--   2-17    when the attempt claimed the key, and when its lease ends
--   18-41   token and nonce: together they are the owner
--   42-45   how long the record was before the steps and the settle that follow
--   46-     the key as bytes (opaque here), then the steps since, then what the settle added
--
-- A step is the length of its name, its name, the length of its result, and its result. A settle adds 0, where a step would
-- have the length of its name, then s for succeeded or f for failed, when the key was settled, expires, is free and may be
-- purged, and the outcome (opaque here): what is there stays as it is, because each copy is dear. A record has a time to
-- live only once it is settled.
local CLAIMED = '>c1dd'
local AT_LEASE, AT_OWNER, AT_LENGTH, AT_REST = 10, 18, 42, 46
local SETTLED, SETTLED_LENGTH = '>I4c1dddd', 37

-- The state p as a byte.
local PENDING = 112

-- How many bytes of records a list may have, so that it does not hold up the other callers for long.
local MOST_LISTED = 1000000

local function read_string(record, at)
  local length, start = struct.unpack('>I4', record, at)
  return string.sub(record, start, start + length - 1), start + length
end

-- Whether a record is settled, and whether it has a step of this name.
local function look(record, wanted)
  local at, step, known = struct.unpack('>I4', record, AT_LENGTH) + 1, nil, false
  while at <= #record do
    step, at = read_string(record, at)
    if step == '' then
      return true, known
    end
    known = known or step == wanted
    at = at + 4 + struct.unpack('>I4', record, at)
  end
  return false, known
end

local function is_owned(record, owner)
  return record and string.sub(record, AT_OWNER, AT_LENGTH - 1) == owner
end

-- When Redis itself removes a settled record, in milliseconds: it is not needed any more then, and the hour is for a clock
-- that is set back.
local function end_of_life(purge)
  return string.format('%.0f', math.ceil(purge / 1000) + 3600000)
end

-- Notes a command to be sent with the other writes of a batch.
local function later(work, ...)
  work.changes[#work.changes + 1] = { ... }
end

local function forget(work, marker, name)
  later(work, 'ZREM', index_of(marker.name), string.sub(name, -32))
  later(work, 'UNLINK', name)
end

-- Each kind of call in a batch, by a letter, gets its part of the heads, which begins at a place, and its body. It returns its
-- answer, and where the next part begins.
local kinds = {}
-- The letters as bytes.
local CLAIM, FIND, RENEW, SETTLE, STEP, SWAP, RELEASE = 99, 102, 114, 115, 116, 119, 120

-- Claims a key that is not there; otherwise the answer is its record.
-- head: lease; body: the record from the nonce on
kinds[CLAIM] = function(work, marker, name, record, heads, at, body)
  if marker.refusal or record then
    return marker.refusal or record, at + 8
  end
  -- The calls of a batch often have the same lease.
  local lease = string.sub(heads, at, at + 7)
  if lease ~= work.lease then
    work.lease = lease
    work.claimed = struct.pack(CLAIMED, 'p', work.now, work.now + struct.unpack('>d', lease))
  end
  local token, fresh = tick(marker, work.now), work.fresh
  fresh[#fresh + 1] = name
  fresh[#fresh + 1] = work.claimed .. struct.pack('>d', token) .. body
  list_key(marker, name, '0')
  return token, at + 8
end

-- head: owner, result, and how long from now on it is active, not free, and kept; body: the outcome
kinds[SETTLE] = function(work, marker, name, record, heads, at, outcome)
  local owner, terms = string.sub(heads, at, at + 23), string.sub(heads, at + 24, at + 48)
  at = at + 49
  if not is_owned(record, owner) then
    return 0, at
  end
  tick(marker, work.now)
  if look(record) then
    return 1, at
  end
  -- The calls of a batch often have the same retention.
  if terms ~= work.terms then
    local now, result, active, free, total = work.now, struct.unpack('>c1ddd', terms)
    work.terms = terms
    work.times = struct.pack(SETTLED, 0, result, now, now + active, now + free, now + total)
    work.score, work.gone = string.format('%.0f', now + total), end_of_life(now + total)
  end
  local settled, last = work.settled, #work.settled
  settled[last + 1] = name
  settled[last + 2] = record .. work.times .. outcome
  settled[last + 3] = work.gone
  list_key(marker, name, work.score)
  return 1, at
end

-- head: owner, lease
kinds[RENEW] = function(work, marker, name, record, heads, at)
  local owner, lease = struct.unpack('>c24d', heads, at)
  local held = is_owned(record, owner) and string.byte(record) == PENDING and not look(record)
  if held then
    later(work, 'SETRANGE', name, AT_LEASE - 1, struct.pack('>d', work.now + lease))
  end
  return held and 1 or 0, at + 32
end

-- Releases a key.
-- head: owner
kinds[RELEASE] = function(work, marker, name, record, heads, at)
  local held = is_owned(record, string.sub(heads, at, at + 23)) and not look(record)
  if held then
    tick(marker, work.now)
    forget(work, marker, name)
  end
  return held and 1 or 0, at + 24
end

-- Records a step.
-- head: owner; body: the step
kinds[STEP] = function(work, marker, name, record, heads, at, step)
  local held = is_owned(record, string.sub(heads, at, at + 23)) and string.byte(record) == PENDING
  if held then
    local settled, known = look(record, (read_string(step, 1)))
    held = not settled
    if held then
      tick(marker, work.now)
    end
    if held and not known then
      later(work, 'APPEND', name, step)
    end
  end
  return held and 1 or 0, at + 24
end

-- Finds a key; the answer is its record, which is empty if there is none.
kinds[FIND] = function(work, marker, name, record, heads, at)
  return record or '', at
end

-- Writes a record if the present one is what the caller has found: its length and its beginning
-- are different after every change.
-- head: whether a refusal counts, the length and the beginning of the record that was found, the token of the next one,
-- and when it may be purged (0 if it is not settled); body: the next record, empty for none
kinds[SWAP] = function(work, marker, name, record, heads, at, body)
  local guarded, length, begin, token, purge = struct.unpack('>BI4c45dd', heads, at)
  at, record = at + 66, record or ''
  if guarded == 1 and marker.refusal then
    return marker.refusal, at
  end
  if #record ~= length or (length > 0 and string.sub(record, 1, AT_REST - 1) ~= begin) then
    return 0, at
  end
  -- The tokens to come are larger.
  tick(marker, math.max(work.now, token))
  if body == '' then
    forget(work, marker, name)
  else
    list_key(marker, name, string.format('%.0f', purge))
    if purge > 0 then
      later(work, 'SET', name, body, 'PXAT', end_of_life(purge))
    else
      later(work, 'SET', name, body)
    end
  end
  return 1, at
end

-- Writes what was worked out. What can fail comes first.
local function write(work)
  local written, fresh, settled = {}, work.fresh, work.settled
  for _, marker in ipairs(work.markers) do
    if marker.changed then
      written[#written + 1] = marker.name
      written[#written + 1] = pack_marker(marker)
    end
  end
  if #fresh > 0 and redis.call('MSETNX', unpack(fresh)) == 0 then
    -- MGET does not tell what is no string from what is not there; GET says so.
    for i = 1, #fresh, 2 do
      redis.call('GET', fresh[i])
    end
    error('a record is there that was not')
  end
  for i = 1, #settled, 3 do
    redis.call('SET', settled[i], settled[i + 1], 'PXAT', settled[i + 2])
  end
  for _, change in ipairs(work.changes) do
    redis.call(unpack(change))
  end
  if #written > 0 then
    redis.call('MSET', unpack(written))
  end
  work.changes, work.fresh, work.settled = {}, {}, {}
end

-- Calls that came at the same time, each with its own answer. What a call costs however little it does is most of what one
-- of them would cost alone: so all is read at once, worked out, and written at once. Nothing is written before all of it
-- is known, so a batch that fails has done nothing, and its calls can be tried one by one.
-- KEYS the record of each, then the marker of each bucket
-- ARGV one packed string, because each argument costs as much as a small command: whether something has to be written in
-- any case, the epoch, the term and the clock that were seen of each bucket, then for each call its kind, whether a call
-- before it has the same key, the number of its bucket, and its own head; then the body of each
-- Returns the answer of each, the term and the clock of each bucket, packed (empty where claims are refused), the time
function calls.batch(keys, args)
  local heads, count, now = args[1], #args - 1, microseconds()
  local found = redis.call('MGET', unpack(keys))
  local work = { now = now, markers = {}, changes = {}, fresh = {}, settled = {} }
  local writes, epoch, at = struct.unpack('>Bd', heads)
  local term, clock
  for i = count + 1, #keys do
    term, clock, at = struct.unpack('>dd', heads, at)
    local marker = open_marker(keys[i], found[i], now, epoch, term, clock)
    -- A caller that waits for replicas must have written something to wait for.
    if writes == 1 then
      tick(marker, now)
    end
    work.markers[i - count] = marker
  end

  -- What was found makes room for the answers one by one: a table that grows is dear.
  for i = 1, count do
    local name, record = keys[i], found[i]
    local kind, again, number = string.byte(heads, at, at + 2)
    if again == 1 then
      write(work)
    end
    if again == 1 or not (record or kind == CLAIM) then
      -- What is no string was not found either; GET says so.
      record = redis.call('GET', name)
    end
    found[i], at = kinds[kind](work, work.markers[number], name, record, heads, at + 3, args[i + 1])
  end
  write(work)
  for i, marker in ipairs(work.markers) do
    found[count + i] = marker.refusal and '' or struct.pack('>dd', marker.term, marker.clock)
  end
  found[#keys + 1] = now
  return found
end

-- A settled record without its outcome; nothing if that is not easily had.
local function without_outcome(name)
  local head = redis.call('GETRANGE', name, 0, AT_REST - 2)
  if head == '' then
    return nil
  end
  local length = struct.unpack('>I4', head, AT_LENGTH)
  local settled = redis.call('GETRANGE', name, length, length + SETTLED_LENGTH - 1)
  return #settled == SETTLED_LENGTH and struct.unpack('>I4', settled) == 0
    and redis.call('GETRANGE', name, 0, length - 1) .. settled or nil
end

-- Some keys of a bucket in the order of the index: first those that are not settled.
-- KEYS marker
-- ARGV which (open, settled or all), limit, whether a sample will do (1: from all over the index, without outcomes), then
-- the score and the digest of the place behind which to begin (empty for the beginning)
-- Returns the time, how many keys of the bucket are not settled, how many are, whether there are more to list, and the
-- score, the digest and the record (empty if it is gone) of each
function calls.list(keys, args)
  local index = index_of(keys[1])
  local function count_to(score)
    return redis.call('ZCOUNT', index, '-inf', score)
  end
  local begin, settled, size = count_to('(0'), count_to(0), redis.call('ZCARD', index)
  local first = args[1] == 'settled' and settled or begin
  local last = args[1] == 'open' and settled or size
  if args[4] ~= '' then
    -- The key at that place may have gone: look for the first one behind it among those with the same score.
    local low, high = count_to('(' .. args[4]), count_to(args[4])
    while low < high do
      local middle = math.floor((low + high) / 2)
      if redis.call('ZRANGE', index, middle, middle)[1] > args[5] then
        high = middle
      else
        low = middle + 1
      end
    end
    first = math.max(first, low)
  end
  local answer = { microseconds(), settled - begin, size - settled, 0 }
  local count, bytes = math.min(last - first, tonumber(args[2])), 0
  local stride = args[3] == '1' and (last - first) / count or 1
  for i = 0, count - 1 do
    local rank = first + math.floor(i * stride)
    local place = redis.call('ZRANGE', index, rank, rank, 'WITHSCORES')
    local name = prefix_of(keys[1]) .. place[1]
    local record = args[3] == '1' and without_outcome(name) or redis.call('GET', name) or ''
    bytes = bytes + #record
    if i > 0 and bytes > MOST_LISTED then
      count = i
      break
    end
    answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = place[2], place[1], record
  end
  answer[4] = first + count < last and 1 or 0
  return answer
end

-- Removes keys that are due. The score of a key is when its record may be purged: both change in one step.
-- KEYS marker
-- ARGV limit
-- Returns how many were removed (Redis may have removed some by itself), and whether more are due
function calls.purge(keys, args)
  local index, limit, removed = index_of(keys[1]), tonumber(args[1]), 0
  local due = redis.call('ZRANGEBYSCORE', index, '(0', microseconds(), 'LIMIT', 0, limit + 1)
  for i = 1, math.min(limit, #due) do
    removed = removed + redis.call('UNLINK', prefix_of(keys[1]) .. due[i])
    redis.call('ZREM', index, due[i])
  end
  return { removed, #due > limit and 1 or 0 }
end

-- ARGV ends with the name of the call.
local function run(keys, args)
  return calls[table.remove(args)](keys, args)
end
