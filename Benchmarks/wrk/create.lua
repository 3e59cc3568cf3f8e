-- What create_body.lua makes, and nothing else.
local create = require("create_body")
local common = require("common")
init = common.start

function request() return common.post(create.body()) end
