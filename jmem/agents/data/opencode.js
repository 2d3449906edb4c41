// Written by `jmem init`; `jmem init --remove --agent opencode` takes it away again.
// It passes what happens in a session on to `jmem hook opencode EVENT` and adds what that answers.
// It never throws and never waits longer than the limit below: memory must not stop a session.
import { spawn, spawnSync } from "node:child_process"

const JMEM = "jmem"
const LIMIT_MS = 2000
const CLOSED = 5 // sessions that are closed at the end: it waits for each, and a night reads the rest
const ACTS = new Set(["bash", "edit", "write", "patch", "multiedit"])
const OURS = /memory_(note|recall|edit)$/

// Starts the hook with `payload` on its standard input. Nobody waits for one that is not asked.
const start = (event, payload, asked) => {
  const child = spawn(JMEM, ["hook", "opencode", event], {
    cwd: payload.cwd,
    detached: !asked,
    stdio: ["pipe", asked ? "pipe" : "ignore", "ignore"],
  })
  child.on("error", () => {})
  child.stdin.on("error", () => {})
  child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload }))
  if (!asked) child.unref()
  return child
}

const tell = (event, payload) => {
  try {
    start(event, payload, false)
  } catch {}
}

// What opencode may exit right after is handed over before it goes on: the hook only starts others.
const close = (event, payload) => {
  try {
    const input = JSON.stringify({ hook_event_name: event, ...payload })
    const options = { cwd: payload.cwd, input, stdio: ["pipe", "ignore", "ignore"] }
    spawnSync(JMEM, ["hook", "opencode", event], { ...options, timeout: LIMIT_MS })
  } catch {}
}

// The text to be added, or an empty string.
const ask = (event, payload) =>
  new Promise((resolve) => {
    try {
      const child = start(event, payload, true)
      let reply = ""
      const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS)
      child.stdout.on("data", (data) => (reply += data))
      child.on("error", () => resolve(""))
      child.on("close", () => {
        clearTimeout(timer)
        try {
          resolve(JSON.parse(reply).additionalContext ?? "")
        } catch {
          resolve("")
        }
      })
    } catch {
      resolve("")
    }
  })

export const JmemPlugin = async ({ directory }) => {
  const parents = new Map() // session -> the one that started it, for a sub-agent's
  const openings = new Map() // session -> what it was given at its start
  const held = new Map() // call -> what is to be said beside its result
  let latest = ""

  const payload = (session, more) => {
    const agent = parents.get(session) ? { agent_id: session } : {}
    return { session_id: session, cwd: directory, ...agent, ...more }
  }
  // Asked once, so that the beginning of every request of a session stays the same.
  const opening = (session) => {
    if (!openings.has(session)) {
      const source = parents.has(session) ? "startup" : "resume"
      openings.set(session, ask("session.created", payload(session, { source })))
    }
    return openings.get(session)
  }

  return {
    event: async ({ event }) => {
      const { info, sessionID } = event.properties ?? {}
      if (event.type === "session.created" && info?.id) parents.set(info.id, info.parentID ?? "")
      if (event.type === "session.idle") close(event.type, payload(sessionID))
      if (event.type === "session.deleted" && info?.id) {
        tell(event.type, payload(info.id))
        openings.delete(info.id)
      }
      if (event.type === "session.compacted")
        openings.set(sessionID, ask(event.type, payload(sessionID, { source: "compact" })))
    },
    "chat.message": async (input, output) => {
      latest = input.sessionID
      await opening(input.sessionID) // a session begins before its first prompt
      const said = output.parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = said.map((part) => part.text).join("\n")
      const text = await ask("chat.message", payload(input.sessionID, { prompt }))
      if (!text) return
      const id = `prt_jmem${Date.now().toString(36)}${Math.random().toString(36).slice(2, 10)}`
      const message = { sessionID: input.sessionID, messageID: output.message.id }
      output.parts.push({ id, ...message, type: "text", text, synthetic: true })
    },
    "experimental.chat.system.transform": async (input, output) => {
      const session = input?.sessionID ?? latest
      const text = session ? await opening(session) : ""
      if (text) output.system.push(text)
    },
    "tool.execute.before": async (input, output) => {
      if (!ACTS.has(input.tool) && !OURS.test(input.tool)) return
      const call = { tool_name: input.tool, tool_input: output.args }
      held.set(input.callID, await ask("tool.execute.before", payload(input.sessionID, call)))
    },
    "tool.execute.after": async (input, output) => {
      const text = held.get(input.callID)
      held.delete(input.callID)
      if (text && typeof output.output === "string") output.output += `\n\n${text}`
      const call = { tool_name: input.tool, tool_input: input.args ?? output.metadata }
      tell("tool.execute.after", payload(input.sessionID, call))
    },
    dispose: async () => {
      const own = [...openings.keys()].filter((session) => !parents.get(session))
      for (const session of own.slice(-CLOSED)) close("dispose", payload(session))
    },
  }
}
