-- A Neovim user's configuration for Git Sidecar, run headless: start the server, ask for a staged diff, print the result.
local root, server = os.getenv("SIDECAR_ROOT"), vim.json.decode(os.getenv("SIDECAR_COMMAND"))
local done, answer, questions = false, nil, {}

local client_id = vim.lsp.start({
  name = "git-sidecar",
  cmd = server,
  root_dir = root,
  init_options = { protocolVersion = 1 },
  handlers = {
    ["window/showMessageRequest"] = function(_, params)
      table.insert(questions, params)
      return params.actions[1]
    end,
  },
})
local client = assert(vim.lsp.get_client_by_id(client_id))
assert(vim.wait(20000, function() return client.initialized end, 20), "the server did not initialize")

local function ask(method, params)
  done, answer = false, nil
  client:request(method, params, function(err, result)
    answer, done = { err = err, result = result }, true
  end, 0)
  assert(vim.wait(20000, function() return done end, 20), "no answer to " .. method)
  return answer
end

local staged = ask("git/stagedDiff", vim.empty_dict())
local committed = ask("tools/call", { name = "git_commit", arguments = { message = "from Neovim" } })
io.stdout:write(vim.json.encode({
  staged = staged.result,
  committed = committed.result,
  questions = questions,
}))
client:stop()
vim.wait(5000, function() return client:is_stopped() end, 20)
vim.cmd("qall!")
