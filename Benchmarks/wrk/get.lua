-- One path, over and over.
local path = os.getenv("BENCH_PATH")

function request()
    return wrk.format("GET", path)
end
