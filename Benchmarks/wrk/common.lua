-- What every script needs: where to post, and numbers that differ between threads.
local common = {}

local threads = 0

-- Each thread counts from a place of its own, so that names made from the counter never meet.
function setup(thread)
    thread:set("thread_number", threads)
    threads = threads + 1
end

function common.start()
    math.randomseed(os.time() + thread_number * 7919)
    math.random()
end

-- Records there are, from the environment of run-bench.sh.
common.records = tonumber(os.getenv("BENCH_RECORDS") or "1")
common.path = os.getenv("BENCH_PATH") or "/echo"
common.headers = { ["Content-Type"] = "application/json" }

function common.random_record()
    return math.random(0, common.records - 1)
end

function common.post(body)
    return wrk.format("POST", common.path, common.headers, body)
end

return common
