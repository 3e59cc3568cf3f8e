-- New records as create.lua makes them, with a pause after each, as people's devices make them.
local create = require("create_body")
local common = require("common")
local pause = tonumber(os.getenv("STEADY_PAUSE") or "10")
init = common.start

function request() return common.post(create.body()) end

function delay() return pause end
